import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { decodePhp } from '../cms/content/import/php-serialized.ts'
import type { JsonValue } from '../core/options/types.ts'

const rowSchema = z.object({ option_name: z.string(), option_value: z.json() })
/** `wp option list --format=json`. */
const listSchema = z.array(rowSchema)
/** phpMyAdmin's export as JSON: tables among other things. */
const tablesSchema = z.array(z.looseObject({ data: z.array(rowSchema).optional() }))
/** By name, as collected from `wp option get <name> --format=json`. */
const recordsSchema = z.record(z.string(), z.json())

/**
 * Reads a dump of WordPress's table `wp_options`, created by WP-CLI or phpMyAdmin, or `{ "<name>": <value> }`.
 * @returns values by name, decoded from PHP serialization or JSON
 * @throws Error if the file contains neither
 */
export function readWordPressOptions(file: string): Record<string, JsonValue> {
  const dump = parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
  const records = recordsSchema.safeParse(dump).data ?? recordsOf(dump)
  if (records === undefined) throw new Error(`${file} is not a JSON export of wp_options.`)
  return Object.fromEntries(Object.entries(records).map(([name, value]) => [name, decode(value)]))
}

function recordsOf(dump: unknown): Record<string, JsonValue> | undefined {
  const rows = listSchema.safeParse(dump).data ?? tablesSchema.safeParse(dump).data?.flatMap(({ data }) => data ?? [])
  return rows && Object.fromEntries(rows.map((row) => [row.option_name, row.option_value]))
}

function decode(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value
  return decodePhp(value) ?? (/^[[{]/.test(value) ? z.json().safeParse(parse(value)).data : undefined) ?? value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
