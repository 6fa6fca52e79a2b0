import { type RawBuilder, sql } from 'kysely'
import { isRowId } from '../../../core/database/row-id.ts'
import { cleanText, type Db, toJsonText } from '../rows.ts'
import type { Meta, MetaKind } from '../types.ts'

/** Table of each kind of meta, and its column with the id of the object. */
export const metaColumns: Readonly<Record<MetaKind, { table: RawBuilder<unknown>; owner: RawBuilder<unknown> }>> = {
  post: { table: sql.table('postmeta'), owner: sql.ref('post_id') },
  user: { table: sql.table('usermeta'), owner: sql.ref('user_id') },
  term: { table: sql.table('termmeta'), owner: sql.ref('term_id') },
  comment: { table: sql.table('commentmeta'), owner: sql.ref('comment_id') },
}

/** Number of values added per statement, which accepts 32,766 parameters. */
const AT_ONCE = 1000

/** Adds values to the existing ones. Resolves to the ids of the rows. Use it inside a transaction. */
export async function addMeta(db: Db, kind: MetaKind, id: number, meta: Meta): Promise<number[]> {
  const { table, owner } = metaColumns[kind]
  const rows = Object.entries(meta).flatMap(([key, values]) =>
    values.map((value) => sql`(${id}, ${cleanText(key)}, ${toJsonText(value)})`),
  )
  const ids: number[] = []
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    const added = await sql<{ meta_id: number }>`
      insert into ${table} (${owner}, meta_key, meta_value) values ${sql.join(rows.slice(start, start + AT_ONCE))}
      returning meta_id`.execute(db)
    for (const row of added.rows) ids.push(row.meta_id)
  }
  return ids
}

/** Deletes all values of a key. Resolves to the ids of the rows. */
export async function removeMeta(db: Db, kind: MetaKind, id: number, key: string): Promise<number[]> {
  if (!isRowId(id)) return []
  const { table, owner } = metaColumns[kind]
  const removed = await sql<{ meta_id: number }>`
    delete from ${table} where ${owner} = ${id} and meta_key = ${cleanText(key)} returning meta_id`.execute(db)
  return removed.rows.map((row) => row.meta_id)
}
