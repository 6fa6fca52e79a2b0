import type { Insertable, Kysely, Selectable } from 'kysely'
import { toGmt } from '../../../core/database/gmt.ts'
import type { Schema } from '../../../core/database/index.ts'
import type { ReaderTable } from '../tables.ts'

/** Positions of readers that are no longer there are stored this long, in ms; longer than entries of the log. */
const RETENTION = 40 * 24 * 60 * 60 * 1000

export type ReaderRow = Selectable<ReaderTable>

/** The table of positions of readers in the log. */
export interface ReaderStore {
  list(): Promise<ReaderRow[]>
  get(id: string): Promise<ReaderRow | undefined>
  /**
   * Stores the state of a reader.
   *
   * @param on a transaction, if it is to be part of one
   */
  save(row: Omit<Insertable<ReaderTable>, 'updated_gmt'>, on?: Kysely<Schema>): Promise<void>
  remove(id: string): Promise<void>
  /** Removes positions that have not changed for 40 days. */
  prune(): Promise<void>
}

export function createReaderStore(db: Kysely<Schema>, now: () => number): ReaderStore {
  return {
    list: () => db.selectFrom('change_readers').selectAll().orderBy('id').execute(),
    get: (id) => db.selectFrom('change_readers').selectAll().where('id', '=', id).executeTakeFirst(),
    async save(given, on = db) {
      const row = { ...given, updated_gmt: toGmt(now()) }
      const { id: _, ...values } = row
      await on
        .insertInto('change_readers')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
        .execute()
    },
    async remove(id) {
      await db.deleteFrom('change_readers').where('id', '=', id).execute()
    },
    async prune() {
      await db
        .deleteFrom('change_readers')
        .where('updated_gmt', '<', toGmt(now() - RETENTION))
        .execute()
    },
  }
}
