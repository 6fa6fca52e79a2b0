import type { Kysely } from 'kysely'
import type { Schema } from '../../core/database/index.ts'
import type { Logger } from '../../core/log.ts'
import { createLeases, type LeaseDatabase, renewLease } from '../database/leases.ts'

/** Time after which another process takes over the work of one that crashed, in ms. Longer work renews its lease. */
const LEASE = 5_000

/** The lease of work in progress. */
export interface HeldLease {
  /** Aborted when the site closes, or when another process may have taken over the work. */
  readonly signal: AbortSignal
  /**
   * Runs a transaction, unless another process has taken over the work.
   *
   * @returns `false` if so; then this process must not continue
   */
  write(change: (transaction: Kysely<Schema>) => Promise<void>): Promise<boolean>
}

/** Work in the background: for each ID in one process, and there once, at a time. */
export interface LeasedWork {
  /** Errors of the work are logged. */
  start(id: string, work: (lease: HeldLease) => Promise<void>): void
  isRunning(id: string): boolean
  /** Resolves when no work is in progress. */
  idle(): Promise<void>
}

export interface LeasedWorkParts {
  readonly database: LeaseDatabase
  readonly log: Logger
  /** Ends all work when the site closes. */
  readonly stopping: AbortSignal
}

/**
 * @param what what an ID names: `cache` or `webhook`
 * @param failed message in the log if the work rejects
 */
export function createLeasedWork(
  what: string,
  failed: string,
  { database, log, stopping }: LeasedWorkParts,
): LeasedWork {
  const { kind, db } = database
  const leases = createLeases(database, log)
  const running = new Map<string, Promise<void>>()

  async function run(id: string, work: (lease: HeldLease) => Promise<void>): Promise<void> {
    try {
      await leases.hold(`lease:${what} ${id}`, { ttl: LEASE, endsOnExpiry: true }, (lease) =>
        work({
          signal: AbortSignal.any([lease.signal, stopping]),
          write: (change) =>
            db.transaction().execute(async (transaction) => {
              if (!(await renewLease({ kind, db: transaction }, lease, LEASE))) return false
              await change(transaction)
              return true
            }),
        }),
      )
    } catch (error) {
      log.error({ err: error, [what]: id }, failed)
    }
  }

  return {
    start(id, work) {
      running.set(
        id,
        run(id, work).finally(() => running.delete(id)),
      )
    },
    isRunning: (id) => running.has(id),
    async idle() {
      await Promise.all(running.values())
    },
  }
}
