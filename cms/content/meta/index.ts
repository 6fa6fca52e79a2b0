import { sql } from 'kysely'
import { isRowId } from '../../../core/database/row-id.ts'
import { RestError } from '../../../core/errors.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import type { ContentParts } from '../parts.ts'
import { PROFILE_PICTURE } from '../profile-pictures.ts'
import { cleanText, type Db, fromJsonText, inChunks } from '../rows.ts'
import type { Meta, MetaKind, MetaStore } from '../types.ts'
import { bumpVersion } from '../versions.ts'
import { announceMeta, replaceMeta } from './changes.ts'
import { metaColumns, removeMeta } from './rows.ts'

interface MetaRow {
  readonly meta_id: number
  readonly owner: number
  readonly meta_key: string
  readonly meta_value: string
}

/** Free key-value pairs; fires `added_<kind>_meta`, `updated_<kind>_meta` and `deleted_<kind>_meta`. */
export function createMeta({
  database,
  hooks,
  noteChange,
}: Pick<ContentParts, 'database' | 'hooks' | 'noteChange'>): MetaStore {
  const { db } = database

  /** Rejects meta of objects that do not exist or were deleted. @throws RestError 404 */
  async function assertExists(kind: MetaKind, id: number): Promise<void> {
    const thing = db.selectFrom(`${kind}s`).select('id')
    if (await thing.where('id', '=', isRowId(id) ? id : 0).executeTakeFirst()) return
    throw new RestError('rest_invalid_id', `There is no ${kind} with that ID.`, { status: 404 })
  }

  /** Writes in a transaction that lists of posts and comments with this meta notice. */
  function write<Result>(kind: MetaKind, key: string, work: (transaction: Db) => Promise<Result>): Promise<Result> {
    return db.transaction().execute(async (transaction) => {
      const result = await work(transaction)
      if (kind !== 'user') await bumpVersion(transaction, kind === 'comment' ? 'comments' : 'posts')
      // Pages show no other meta of users.
      if (kind !== 'user' || key === PROFILE_PICTURE) await noteChange(transaction)
      return result
    })
  }

  return {
    async of(kind, ids) {
      const { table, owner } = metaColumns[kind]
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
      const { table, owner } = metaColumns[kind]
      const { rows } = await sql<{ meta_value: string }>`
        select meta_value from ${table} where ${owner} = ${id} and meta_key = ${cleanText(key)}
        order by meta_id limit 1`.execute(db)
      return rows[0] === undefined ? undefined : fromJsonText(rows[0].meta_value)
    },

    async set(kind, id, key, ...values) {
      const changes = await write(kind, key, (transaction) =>
        replaceMeta(transaction, kind, id, { [key]: values }),
      ).catch(async (error: unknown) => {
        await assertExists(kind, id)
        throw error
      })
      await announceMeta(hooks, kind, id, changes)
    },

    async delete(kind, id, key) {
      const deletedIds = await write(kind, key, (transaction) => removeMeta(transaction, kind, id, key))
      await announceMeta(hooks, kind, id, [{ key, added: [], updated: [], deletedIds }])
    },
  }
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
