import { z } from 'zod'

/**
 * The database format in archives: one file `database/<table>.ndjson` per table, with the table name URI-encoded. The
 * first line is the head; each following line is a row: an array of values in the order of the head's columns.
 */
const DATABASE_FOLDER = 'database'

/**
 * Tables that are never archived: sessions, links sent by email, jobs and leases are transient, a restore must not revive access of OAuth
 * clients that was revoked or renewed since, the security log and the change log belong to the current site, options, extensions, and themes are archived as files, and the search index is rebuilt from the posts.
 */
export function isExcludedTable(table: string): boolean {
  return /^(?:sessions|account_links|oauth_(?:clients|grants|tokens)|change_log|change_deliveries|change_readers|mail_log|previews|privacy_requests|rate_limits|security_log|shared_code|migrations_shared_code|sign_in_failures|sign_in_networks|site_options|migrations_site_options|jobs|leases|post_search(?:_.*)?|migrations_.*_lock|sqlite_.*)$/.test(
    table,
  )
}

/** Path of a table's file in an archive. */
export function tableFile(table: string): string {
  return `${DATABASE_FOLDER}/${encodeURIComponent(table)}.ndjson`
}

/** Maximum line length in bytes. Two such lines fit into the longest string of Node (about 2^29 characters). */
export const LONGEST_ROW = 256 * 1024 * 1024

export const tableHeadSchema = z.object({
  table: z.string().min(1).max(200),
  /** SQL dialect of `create`. */
  kind: z.enum(['sqlite', 'postgres']),
  columns: z.array(z.string().min(1).max(200)).min(1).max(2000),
  /**
   * Statements that create the table, then its indexes, without a schema name. Used for tables that the host does not
   * create.
   */
  create: z.array(z.string().max(100_000)).max(200),
  /**
   * PostgreSQL: `constraint "name" foreign key …`, added once all tables exist. In SQLite they are part of `create`.
   */
  foreignKeys: z.array(z.string().max(10_000)).max(200).optional(),
  /** Last generated row id, if the table has an autoincrement column. */
  lastId: z.int().min(0).optional(),
})

/** First line of a table's file. */
export type TableHead = z.output<typeof tableHeadSchema>

/**
 * A value in JSON. Values without a JSON representation are wrapped: bytes, integers above 2^53, and real numbers that
 * JSON would write as integers or not at all.
 */
export type StoredValue =
  | null
  | boolean
  | number
  | string
  | { readonly $blob: string }
  | { readonly $int: string }
  | { readonly $real: string }

/** A value of a row: `bigint` for integers, `number` for real numbers. */
export type Value = null | boolean | bigint | number | string | Uint8Array

const storedValueSchema: z.ZodType<StoredValue> = z.union([
  z.null(),
  z.boolean(),
  z.number(),
  z.string(),
  z.strictObject({ $blob: z.base64() }),
  z.strictObject({ $int: z.string().regex(/^-?\d{1,19}$/) }),
  z.strictObject({ $real: z.string().regex(/^(?:NaN|-?Infinity|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/) }),
])

/** A line of a table's file. */
export const rowSchema = z.array(storedValueSchema)

export function encodeValue(value: Value): StoredValue {
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : { $int: String(value) }
  }
  if (typeof value === 'number') {
    if (Number.isFinite(value) && !Number.isInteger(value)) return value
    return { $real: Object.is(value, -0) ? '-0' : String(value) }
  }
  if (value instanceof Uint8Array) {
    return { $blob: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') }
  }
  return value
}

export function decodeValue(stored: StoredValue): Value {
  if (typeof stored === 'number') return Number.isSafeInteger(stored) ? BigInt(stored) : stored
  if (stored === null || typeof stored !== 'object') return stored
  if ('$blob' in stored) return Buffer.from(stored.$blob, 'base64')
  return '$int' in stored ? BigInt(stored.$int) : Number(stored.$real)
}
