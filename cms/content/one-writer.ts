import { sql } from 'kysely'
import type { Database } from '../../core/database/index.ts'
import { createTurns } from '../../core/threads/turns.ts'
import type { Db } from './rows.ts'

/** Any number that no other lock of the database has. */
const CONTENT_LOCK = 0x70656e74

/** Does all of the work or nothing of it. It fires no hooks and writes through its own handle only. */
export type WriteContent = <Result>(work: (handle: Db) => Promise<Result>) => Promise<Result>

/**
 * Lets one change of posts, terms or comments happen at a time, on PostgreSQL as on SQLite, which has one writer anyway:
 * what it looked at (a free slug, a post, the number of comments) is still so when it is stored, and no two of them
 * wait for each other's rows.
 *
 * @param changed - Called when one of them has ended.
 */
export function createContentWriter({ db, kind }: Database, changed = () => {}): WriteContent {
  const transaction = async <Result>(work: (handle: Db) => Promise<Result>) => {
    try {
      return await db.transaction().execute(work)
    } finally {
      changed()
    }
  }
  if (kind === 'sqlite') return transaction
  // Who waits here holds no connection, so that there are some left to read with; other processes wait for the lock.
  const turn = createTurns(1)
  return (work) =>
    turn(() =>
      transaction(async (handle) => {
        await sql`select pg_advisory_xact_lock(${sql.lit(CONTENT_LOCK)})`.execute(handle)
        return work(handle)
      }),
    )
}
