import type { RedirectRule } from '../types.ts'
import { readCsvRules, writeCsvRules } from './csv-rules.ts'
import type { ReadFile } from './file.ts'
import { htaccess } from './htaccess.ts'
import { readJsonRules } from './json-rules.ts'
import type { ImportFormat } from './names.ts'
import { nginx } from './nginx.ts'
import { readServerRules, writeServerRules } from './server-rules.ts'

export { decodeText } from './decode.ts'
export { readJsonValue } from './json-rules.ts'

const FRAME = ['# Redirects of a Pentad site.']

/** Parses the redirects of a file; they are not validated yet. */
export async function readRulesOf(text: string, format: ImportFormat): Promise<ReadFile> {
  const kind = format === 'auto' ? kindOf(text) : format
  if (kind === 'json') return readJsonRules(text)
  if (kind === 'htaccess') return readServerRules(text, htaccess)
  if (kind === 'nginx') return readServerRules(text, nginx)
  return readCsvRules(text, kind)
}

function kindOf(text: string): Exclude<ImportFormat, 'auto'> | 'auto' {
  if (/^\uFEFF?\s*[[{]/.test(text)) return 'json'
  if (APACHE.test(text)) return 'htaccess'
  if (NGINX.test(text)) return 'nginx'
  return 'auto'
}

const APACHE =
  /^[ \t]*(?:rewrite(?:rule|cond|engine)[ \t]|redirect(?:(?:match|permanent|temp)[ \t]|[ \t]+(?:\d{3}|permanent|temp|seeother|gone|["/])))/im
const NGINX = /^[ \t]*(?:rewrite[ \t].*;|location[ \t].*\{|if \(\$)/m

/** Writes redirects in one of the file formats. */
export const WRITERS = {
  csv: { type: 'text/csv', extension: 'csv', write: writeCsvRules },
  htaccess: {
    type: 'text/plain',
    extension: 'htaccess',
    write: (rules: readonly RedirectRule[]) => writeServerRules(rules, htaccess, [...FRAME, 'RewriteEngine On']),
  },
  nginx: {
    type: 'text/plain',
    extension: 'conf',
    write: (rules: readonly RedirectRule[]) => writeServerRules(rules, nginx, FRAME),
  },
} as const
