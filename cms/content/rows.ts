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

/** Asks for many ids in as many statements as it takes. */
export async function inChunks<Row>(ids: Iterable<number>, ask: (ids: number[]) => Promise<Row[]>): Promise<Row[]> {
  const wanted = rowIds(ids)
  const rows: Row[] = []
  for (let start = 0; start < wanted.length; start += CHUNK) {
    for (const row of await ask(wanted.slice(start, start + CHUNK))) rows.push(row)
  }
  return rows
}

/** Text that both databases can store: PostgreSQL refuses NUL, and half a surrogate pair is no character. */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** A meta value as its column holds it. `\u0000` inside JSON is text, so only broken characters must go. */
export function toJsonText(value: JsonValue): string {
  return JSON.stringify(value).toWellFormed()
}

export function fromJsonText(text: string): JsonValue {
  return JSON.parse(text)
}
