import { type RawBuilder, sql } from 'kysely'
import type { Hooks } from '../hooks/types.ts'
import type { JsonValue } from '../options/types.ts'
import type { ContentParts } from './parts.ts'
import { cleanText, type Db, fromJsonText, inChunks, isRowId, toJsonText } from './rows.ts'
import type { Meta, MetaKind, MetaStore } from './types.ts'

interface MetaRow {
  readonly meta_id: number
  readonly owner: number
  readonly meta_key: string
  readonly meta_value: string
}

const tables: Readonly<Record<MetaKind, { table: RawBuilder<unknown>; owner: RawBuilder<unknown> }>> = {
  post: { table: sql.table('postmeta'), owner: sql.ref('post_id') },
  user: { table: sql.table('usermeta'), owner: sql.ref('user_id') },
  term: { table: sql.table('termmeta'), owner: sql.ref('term_id') },
  comment: { table: sql.table('commentmeta'), owner: sql.ref('comment_id') },
}

/** Free key-value pairs; fires `updated_<kind>_meta` and `deleted_<kind>_meta`. */
export function createMeta({ database, hooks }: Pick<ContentParts, 'database' | 'hooks'>): MetaStore {
  const { db } = database
  return {
    async of(kind, ids) {
      const { table, owner } = tables[kind]
      const rows = await inChunks(ids, async (some) => {
        const { rows } = await sql<MetaRow>`
          select meta_id, ${owner} as owner, meta_key, meta_value from ${table}
          where ${owner} in (${sql.join(some)}) order by meta_id`.execute(db)
        return rows
      })
      return group(ids, rows)
    },

    async get(kind, id, key) {
      if (!isRowId(id)) return undefined
      const { table, owner } = tables[kind]
      const { rows } = await sql<{ meta_value: string }>`
        select meta_value from ${table} where ${owner} = ${id} and meta_key = ${cleanText(key)}
        order by meta_id limit 1`.execute(db)
      return rows[0] === undefined ? undefined : fromJsonText(rows[0].meta_value)
    },

    async set(kind, id, key, ...values) {
      const ids = await db.transaction().execute(async (transaction) => {
        await removeMeta(transaction, kind, id, key)
        return addMeta(transaction, kind, id, { [key]: values })
      })
      for (const [at, metaId] of ids.entries()) await announceUpdate(hooks, kind, [metaId, id, key, values[at] ?? null])
    },

    async delete(kind, id, key) {
      const ids = await removeMeta(db, kind, id, key)
      if (ids.length > 0) await announceDelete(hooks, kind, [ids, id, key])
    },
  }
}

/** Adds values beside what is there; answers the ids of the rows. For use inside a transaction. */
export async function addMeta(db: Db, kind: MetaKind, id: number, meta: Meta): Promise<number[]> {
  const { table, owner } = tables[kind]
  const rows = Object.entries(meta).flatMap(([key, values]) =>
    values.map((value) => sql`(${id}, ${cleanText(key)}, ${toJsonText(value)})`),
  )
  if (rows.length === 0) return []
  const added = await sql<{ meta_id: number }>`
    insert into ${table} (${owner}, meta_key, meta_value) values ${sql.join(rows)} returning meta_id`.execute(db)
  return added.rows.map((row) => row.meta_id)
}

/** Removes all values of a key; answers the ids the rows had. */
export async function removeMeta(db: Db, kind: MetaKind, id: number, key: string): Promise<number[]> {
  if (!isRowId(id)) return []
  const { table, owner } = tables[kind]
  const removed = await sql<{ meta_id: number }>`
    delete from ${table} where ${owner} = ${id} and meta_key = ${cleanText(key)} returning meta_id`.execute(db)
  return removed.rows.map((row) => row.meta_id)
}

function group(ids: readonly number[], rows: readonly MetaRow[]): Map<number, Meta> {
  const found = new Map<number, Record<string, JsonValue[]>>()
  for (const id of ids) found.set(id, {})
  for (const { owner, meta_key: key, meta_value: value } of rows) {
    const meta = found.get(owner)
    if (!meta) continue
    if (!Object.hasOwn(meta, key))
      Object.defineProperty(meta, key, { value: [], enumerable: true, writable: true, configurable: true })
    meta[key]?.push(fromJsonText(value))
  }
  return found
}

type Updated = [metaId: number, id: number, key: string, value: JsonValue]
type Deleted = [metaIds: readonly number[], id: number, key: string]

function announceUpdate(hooks: Hooks, kind: MetaKind, args: Updated): Promise<void> {
  if (kind === 'post') return hooks.doActionAsync('updated_post_meta', ...args)
  if (kind === 'user') return hooks.doActionAsync('updated_user_meta', ...args)
  if (kind === 'term') return hooks.doActionAsync('updated_term_meta', ...args)
  return hooks.doActionAsync('updated_comment_meta', ...args)
}

function announceDelete(hooks: Hooks, kind: MetaKind, args: Deleted): Promise<void> {
  if (kind === 'post') return hooks.doActionAsync('deleted_post_meta', ...args)
  if (kind === 'user') return hooks.doActionAsync('deleted_user_meta', ...args)
  if (kind === 'term') return hooks.doActionAsync('deleted_term_meta', ...args)
  return hooks.doActionAsync('deleted_comment_meta', ...args)
}
