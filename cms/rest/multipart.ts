import type { File, Options, PluginFunction } from 'formidable'
import type Koa from 'koa'
import { type Body, parseBody, tooLarge } from '../../core/rest/body.ts'
import { parseForm } from '../../core/rest/form.ts'

/** Where a form's file is stored, and the size limits of the file and of the other fields. */
export interface FileRule {
  readonly folder: string
  readonly field: string
  readonly maxBytes: number
  readonly fieldsLimit: number
}

/**
 * Parses a multipart form of at most `limit` bytes: its fields and, if there is a rule for it, the first file in the
 * rule's field. Other files are ignored.
 *
 * @throws RestError `rest_request_too_large` (413), `rest_invalid_body`
 */
export async function readMultipart(
  { req }: Koa.Context,
  limit: number,
  rule?: FileRule,
): Promise<{ body: Body; file: File | undefined }> {
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  const { default: formidable, multipart } = await import('formidable')
  const form = formidable({
    ...(rule ? fileOptions(rule) : { maxFieldsSize: limit, filter: isField }),
    enabledPlugins: [multipart, detectFilesByName, endAfter(limit)],
  })
  const [fields, files] = await parseBody(req, rule?.maxBytes ?? limit, () => form.parse(req))
  const pairs = Object.entries(fields).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return { body: parseForm(new URLSearchParams(pairs)), file: rule && files[rule.field]?.[0] }
}

/** A part with a file name is a file; without a Content-Type it is `text/plain` (RFC 7578, 4.4). The parser looks at the type only. */
const detectFilesByName: PluginFunction = (form) => {
  const handle = form.onPart.bind(form)
  form.onPart = (part) => {
    part.mimetype = isField(part) ? null : part.mimetype || 'text/plain'
    return handle(part)
  }
}

/** The parser counts neither skipped files nor part headers, and a chunked form does not declare its length. */
const endAfter =
  (limit: number): PluginFunction =>
  (form) => {
    form.on('progress', (received) => {
      // An error thrown by the listener aborts the parser.
      if (received > limit) throw tooLarge(limit)
    })
  }

const isField = ({ originalFilename }: { originalFilename: string | null }) => originalFilename === null

function fileOptions({ folder, field, maxBytes, fieldsLimit }: FileRule): Options {
  let isTaken = false
  return {
    uploadDir: folder,
    maxFileSize: maxBytes,
    maxFieldsSize: fieldsLimit,
    allowEmptyFiles: true,
    minFileSize: 0,
    filter(part) {
      if (isField(part)) return true
      if (isTaken || part.name !== field) return false
      isTaken = true
      return true
    },
  }
}
