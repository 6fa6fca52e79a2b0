import { z } from 'zod'
import type { ImportedRule } from '../types.ts'
import { LEFT_OUT, MOST_ERRORS, type ReadFile } from './file.ts'
import { columnName, ROW_READERS } from './row-readers.ts'

/** Export of Redirection. */
const redirectionItem = z.object({
  url: z.string(),
  action_data: z.union([z.string(), z.object({ url: z.string() }).partial()]).nullish(),
  action_type: z.string().optional(),
  action_code: z.coerce.number().optional(),
  regex: z.coerce.boolean().optional(),
  enabled: z.boolean().optional(),
  status: z.string().optional(),
  title: z.string().nullish(),
  hits: z.number().optional(),
  match_type: z.string().optional(),
  match_data: z
    .object({ source: z.object({ flag_query: z.string(), flag_case: z.boolean() }).partial() })
    .partial()
    .nullish(),
})
/** Export of All in One SEO. */
const aioseoItem = z.object({ source_url: z.string(), target_url: z.string().nullish() }).loose()

/** Reads JSON of this service, Redirection, All in One SEO or Simple 301 Redirects (`{ "/from": "/to" }`). */
export function readJsonRules(text: string): ReadFile {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return { rules: [], errors: [{ line: 1, message: 'The file is not valid JSON.' }] }
  }
  return readJsonValue(value)
}

/** @param value parsed JSON; the position in the list is used as line number */
export function readJsonValue(value: unknown): ReadFile {
  const rules: ImportedRule[] = []
  const errors: { line: number; message: string }[] = []
  for (const [at, item] of itemsOf(value).entries()) {
    const line = at + 1
    if (errors.length >= MOST_ERRORS) {
      errors.push({ line, message: LEFT_OUT })
      break
    }
    try {
      for (const rule of readItem(item)) rules.push({ line, rule })
    } catch (error) {
      errors.push({ line, message: error instanceof Error ? error.message : String(error) })
    }
  }
  return { rules, errors }
}

const envelope = z.object({ data: z.unknown() })
const list = z.union([
  z.array(z.unknown()),
  z.object({ rules: z.array(z.unknown()) }).transform(({ rules }) => rules),
  z.object({ redirects: z.array(z.unknown()) }).transform(({ redirects }) => redirects),
])
const pairs = z.record(z.string(), z.string())

function itemsOf(value: unknown): readonly unknown[] {
  const inside = envelope.safeParse(value)
  const found = list.safeParse(inside.success && inside.data.data !== undefined ? inside.data.data : value)
  if (found.success) return found.data
  const simple = pairs.safeParse(value)
  if (!simple.success) return [value]
  return Object.entries(simple.data).map(([source, target]) => ({
    source,
    target,
    match: source.includes('*') ? 'wildcard' : 'exact',
  }))
}

function readItem(item: unknown): readonly unknown[] {
  const redirection = redirectionItem.safeParse(item)
  if (redirection.success) return [fromRedirection(redirection.data)]
  const aioseo = aioseoItem.safeParse(item)
  if (!aioseo.success) return [item]
  const cells = new Map(Object.entries(aioseo.data).map(([name, cell]) => [columnName(name, 'aioseo'), textOf(cell)]))
  return ROW_READERS.aioseo.read((column) => cells.get(column) ?? '')
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function fromRedirection(item: z.output<typeof redirectionItem>): object {
  const { url, action_data: data, action_type: type = 'url', match_type: conditions = 'url' } = item
  if (conditions !== 'url')
    throw new Error(
      `Redirects that depend on the visitor, such as on login status or referrer, are not supported ("${conditions}").`,
    )
  if (type !== 'url' && type !== 'error') throw new Error(`"${type}" is not a redirect.`)
  const { flag_query: query, flag_case: ignoresCase } = item.match_data?.source ?? {}
  const isOff = item.enabled === false || item.status === 'disabled'
  return {
    source: url,
    target: (typeof data === 'string' ? data : data?.url) ?? '',
    match: item.regex ? 'regex' : 'exact',
    status: item.action_code ?? 301,
    query: query === 'pass' ? 'pass' : query === 'exact' || query === 'exactorder' ? 'exact' : 'ignore',
    caseSensitive: ignoresCase === false,
    enabled: !isOff,
    note: item.title ?? '',
    hits: item.hits,
  }
}
