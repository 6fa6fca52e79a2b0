import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ExtensionHost, RestError, RestResponse, success, successSchema } from 'pentad'
import { z } from 'zod'
import type { ReadFile } from './formats/file.ts'
import { EXPORT_FORMATS, IMPORT_FORMATS } from './formats/names.ts'
import { importShape, type Redirects, ruleShape } from './types.ts'

/** Maximum size of an import in bytes: about 200,000 redirects. */
const MOST_BYTES = 32 * 1024 * 1024

/** Readers and writers of files, loaded on demand. */
const loadFormats = () => import('./formats/index.ts')

/** `seo/v1/redirects/import` and `/export`. */
export function registerTransferRoutes(host: ExtensionHost, redirects: Redirects): void {
  host.rest.registerRoute('seo/v1', {
    method: 'POST',
    path: '/redirects/import',
    access: 'manage_options',
    // No limit: an import of 100,000 redirects takes long.
    timeLimit: Number.POSITIVE_INFINITY,
    summary:
      'Imports redirects from Pentad, a WordPress plugin, or a server configuration. Invalid redirects are skipped and reported.',
    response: successSchema(importShape),
    bodyLimit: MOST_BYTES,
    upload: { folder: join(host.site.dir, 'tmp'), maxBytes: MOST_BYTES },
    input: z.object({
      rules: z.array(z.unknown()).optional().describe('Redirects as returned by the export.'),
      csv: z.string().optional().describe('Contents of a file in one of the formats. Alternatively, upload the file.'),
      format: z.enum(IMPORT_FORMATS).default('auto').describe('Format of the file.'),
    }),
    async handler({ input: { rules, csv, format }, upload }) {
      const { decodeText, readJsonValue, readRulesOf } = await loadFormats()
      const text = upload ? decodeText(await readFile(upload.path)) : csv
      const file = rules ? readJsonValue(rules) : text === undefined ? undefined : await readRulesOf(text, format)
      if (!file) throw missing()
      return success(await importFile(redirects, file))
    },
  })

  host.rest.registerRoute('seo/v1', {
    method: 'GET',
    path: '/redirects/export',
    access: 'manage_options',
    summary: 'Exports all redirects as JSON, CSV, or a server configuration file.',
    response: successSchema(z.object({ rules: z.array(ruleShape) })),
    responseTypes: ['text/csv', 'text/plain'],
    input: z.object({ format: z.enum(EXPORT_FORMATS).default('json').describe('Format of the export.') }),
    async handler({ input: { format } }) {
      const rules = await redirects.all()
      if (format === 'json') return success({ rules })
      const { type, extension, write } = (await loadFormats()).WRITERS[format]
      return new RestResponse(write(rules), {
        headers: {
          'Content-Type': `${type}; charset=UTF-8`,
          'Content-Disposition': `attachment; filename="redirects.${extension}"`,
        },
      })
    },
  })
}

async function importFile(redirects: Redirects, { rules, errors }: ReadFile) {
  const result = await redirects.import(rules)
  return { ...result, errors: [...errors, ...result.errors].sort((a, b) => a.line - b.line) }
}

function missing(): RestError {
  return new RestError('rest_missing_callback_param', 'Missing parameter(s): rules', { status: 400, params: ['rules'] })
}
