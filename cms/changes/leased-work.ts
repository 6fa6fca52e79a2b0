import type { Logger } from '../../core/log.ts'
import type { Jobs } from '../jobs/types.ts'

/** Time after which another process takes over the work of one that crashed, in ms. */
const LEASE = 60_000

/** Work in the background: for each ID in one process, and there once, at a time. */
export interface LeasedWork {
  /** Errors of the work are logged. The signal is aborted when the site closes, or when the lease is lost. */
  start(id: string, work: (signal: AbortSignal) => Promise<void>): void
  isRunning(id: string): boolean
  /** Resolves when no work is in progress. */
  idle(): Promise<void>
}

export interface LeasedWorkParts {
  readonly jobs: Pick<Jobs, 'withLease'>
  readonly log: Logger
  /** Ends all work when the site closes. */
  readonly stopping: AbortSignal
}

/**
 * @param what what an ID names: `cache` or `webhook`
 * @param failed message in the log if the work rejects
 */
export function createLeasedWork(what: string, failed: string, { jobs, log, stopping }: LeasedWorkParts): LeasedWork {
  const running = new Map<string, Promise<void>>()

  async function run(id: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await jobs.withLease(`${what} ${id}`, LEASE, (held) => work(AbortSignal.any([held, stopping])))
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
