import { sql } from 'kysely'
import { isRowId } from '../../../core/database/row-id.ts'
import { AFTER_COMMIT } from '../../../core/hooks/index.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import './hooks.ts'
import { cleanText, type Db, fromJsonText, toJsonText } from '../rows.ts'
import type { Meta, MetaKind } from '../types.ts'
import { addMeta, metaColumns, removeMeta } from './rows.ts'

type Value = readonly [metaId: number, value: JsonValue]

/** Changed values of one key. */
export interface MetaChange {
  readonly key: string
  readonly added: readonly Value[]
  readonly updated: readonly Value[]
  readonly deletedIds: readonly number[]
}

/** Inserts the meta of a new object. Use it inside a transaction. */
export async function insertMeta(db: Db, kind: MetaKind, id: number, meta: Meta): Promise<MetaChange[]> {
  // Sorted by id, which is insertion order.
  const ids = (await addMeta(db, kind, id, meta)).sort((one, other) => one - other)
  let next = 0
  return Object.entries(meta).map(([key, values]) => {
    const added = pairs(ids.slice(next, next + values.length), values)
    next += values.length
    return { key, added, updated: [], deletedIds: [] }
  })
}

/**
 * Replaces all values of each key: unchanged values are not written, and changed ones keep their row, as in WordPress's `update_metadata`.
 * Use it inside a transaction.
 */
export async function replaceMeta(db: Db, kind: MetaKind, id: number, meta: Meta): Promise<MetaChange[]> {
  const changes: MetaChange[] = []
  for (const [key, values] of Object.entries(meta)) changes.push(await replaceKey(db, kind, id, key, values))
  return changes
}

async function replaceKey(
  db: Db,
  kind: MetaKind,
  id: number,
  key: string,
  values: readonly JsonValue[],
): Promise<MetaChange> {
  const { table, owner } = metaColumns[kind]
  const old = isRowId(id)
    ? await sql<{ meta_id: number; meta_value: string }>`
        select meta_id, meta_value from ${table} where ${owner} = ${id} and meta_key = ${cleanText(key)}
        order by meta_id`.execute(db)
    : { rows: [] }
  if (values.length === 0) {
    const deletedIds = old.rows.length > 0 ? await removeMeta(db, kind, id, key) : []
    return { key, added: [], updated: [], deletedIds }
  }
  const updated: Value[] = []
  const more = values.slice(old.rows.length)
  const kept = old.rows.slice(0, values.length)
  for (const [at, row] of kept.entries()) {
    const value = values[at] ?? null
    const text = toJsonText(value)
    if (text === row.meta_value) continue
    const { rows } = await sql<{ meta_id: number }>`
      update ${table} set meta_value = ${text} where meta_id = ${row.meta_id} returning meta_id`.execute(db)
    // Another request has deleted the row in the meantime.
    if (rows.length === 0) more.push(value)
    else updated.push([row.meta_id, fromJsonText(text)])
  }
  const deletedIds = old.rows.slice(values.length).map((row) => row.meta_id)
  if (deletedIds.length > 0) await sql`delete from ${table} where meta_id in (${sql.join(deletedIds)})`.execute(db)
  const added = pairs(await addMeta(db, kind, id, { [key]: more }), more)
  return { key, added, updated, deletedIds }
}

function pairs(ids: readonly number[], values: readonly JsonValue[]): Value[] {
  return ids.map((metaId, at) => [metaId, values[at] ?? null])
}

/** Fires WordPress's actions for changed values. */
export async function announceMeta(
  hooks: Hooks,
  kind: MetaKind,
  id: number,
  changes: readonly MetaChange[],
): Promise<void> {
  const { doActionAsync } = hooks.limited(AFTER_COMMIT)
  for (const { key, added, updated, deletedIds } of changes) {
    for (const [metaId, value] of updated) await doActionAsync(`updated_${kind}_meta`, metaId, id, key, value)
    for (const [metaId, value] of added) await doActionAsync(`added_${kind}_meta`, metaId, id, key, value)
    if (deletedIds.length > 0) await doActionAsync(`deleted_${kind}_meta`, deletedIds, id, key)
  }
}
