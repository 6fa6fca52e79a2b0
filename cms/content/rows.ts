import type { Kysely, Selectable } from 'kysely'
import type { Schema } from '../../core/database/index.ts'
import { isRowId } from '../../core/database/row-id.ts'
import type { JsonValue } from '../../core/options/types.ts'
import type { CommentTable, PostTable, TermTable } from './schema.ts'

export type PostRow = Selectable<PostTable>
export type TermRow = Selectable<TermTable>
export type CommentRow = Selectable<CommentTable>

/** The query builder, or the handle of a transaction. */
export type Db = Kysely<Schema>

/** Databases limit how many values one statement takes. */
const CHUNK = 1000

/** The ids that a row can have, each once. */
export function rowIds(ids: Iterable<number>): number[] {
  return [...new Set(ids)].filter(isRowId)
}

/** Queries many ids in batches. */
export async function inChunks<Row>(ids: Iterable<number>, ask: (ids: number[]) => Promise<Row[]>): Promise<Row[]> {
  const wanted = rowIds(ids)
  const rows: Row[] = []
  for (let start = 0; start < wanted.length; start += CHUNK) {
    for (const row of await ask(wanted.slice(start, start + CHUNK))) rows.push(row)
  }
  return rows
}

/** Removes characters that the databases cannot store: NUL (PostgreSQL) and lone surrogates. */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** Serializes a meta value for its column. `\u0000` in JSON is an escape, so only lone surrogates must be removed. */
export function toJsonText(value: JsonValue): string {
  return JSON.stringify(value).toWellFormed()
}

export function fromJsonText(text: string): JsonValue {
  return JSON.parse(text)
}
