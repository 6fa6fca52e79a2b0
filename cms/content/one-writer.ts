import { sql } from 'kysely'
import type { Database } from '../../core/database/index.ts'
import { createSemaphore } from '../../core/threads/semaphore.ts'
import type { Db } from './rows.ts'
import { bumpVersion, type ContentKind } from './versions.ts'

/** Any number that no other lock of the database uses. */
const CONTENT_LOCK = 0x70656e74

/** Notes a change of content in its transaction, as the last statement. */
export type NoteChange = (handle: Db) => Promise<void>

/** Performs all of the work or none of it. It fires no hooks and writes only through its own handle. */
export type WriteContent = <Result>(work: (handle: Db) => Promise<Result>) => Promise<Result>

/**
 * Serializes changes to posts, terms and comments on PostgreSQL, as SQLite with its single writer does: what a change has read (a free
 * slug, a post, the number of comments) is still valid when it is stored, and no deadlocks occur.
 * @param of - What is changed, for the versions of content.
 * @param noteChange - Called in the transaction of each change.
 * @param changed - Called when a change has ended.
 */
export function createContentWriter(
  { db, kind }: Database,
  of: ContentKind,
  noteChange: NoteChange,
  changed = () => {},
): WriteContent {
  const transaction = async <Result>(work: (handle: Db) => Promise<Result>) => {
    try {
      return await db.transaction().execute(async (handle) => {
        const result = await work(handle)
        await bumpVersion(handle, of)
        await noteChange(handle)
        return result
      })
    } finally {
      changed()
    }
  }
  if (kind === 'sqlite') return transaction
  // Waiting changes from this process hold no connection, so that reads do not run out of connections; other processes wait for the lock.
  const exclusive = createSemaphore(1)
  return (work) =>
    exclusive(() =>
      transaction(async (handle) => {
        await sql`select pg_advisory_xact_lock(${sql.lit(CONTENT_LOCK)})`.execute(handle)
        return work(handle)
      }),
    )
}
