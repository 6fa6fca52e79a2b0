import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { Client } from 'pg'
import type { Schema } from '../../core/database/index.ts'

// Imported only on PostgreSQL, so that sites on SQLite start without the driver.

const CHANNEL = 'pentad_changes'
/** Delay before a lost connection is replaced, in ms. */
const RECONNECT_AFTER = 2000

/** Wakes the readers of other processes. Best effort: without it, their poll finds the entry. */
export function notifyOthers(db: Kysely<Schema>): void {
  // Not in the transaction of an entry: PostgreSQL commits transactions that notify one at a time.
  sql`select pg_notify(${CHANNEL}, '')`.execute(db).catch(() => {})
}

/**
 * Calls `notify` when another process has added entries. Uses a connection of its own, because those of the pool are shared; behind a
 * proxy with transaction pooling it receives nothing.
 *
 * @returns a promise that resolves after the signal is aborted
 */
export async function listenForEntries(
  connectionString: string,
  { notify, signal }: { notify: () => void; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const client = new Client({ connectionString, keepAlive: true })
    const ended = once(client, 'end', { signal }).catch(() => {})
    // An error without a listener would end the process; `end` follows it.
    client.on('error', () => {})
    client.on('notification', notify)
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      await ended
    } catch {
      // The poll continues meanwhile.
    }
    await client.end().catch(() => {})
    await wait(RECONNECT_AFTER, undefined, { signal }).catch(() => {})
  }
}
