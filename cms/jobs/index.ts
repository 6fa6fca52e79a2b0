import type { z } from 'zod'
import type { Database } from '../../core/database/index.ts'
import type { Hooks, Undo } from '../../core/hooks/types.ts'
import type { Logger } from '../../core/log.ts'
import { coreOwner, type Owner, type Staged } from '../../core/owner.ts'
import { createLeases } from '../database/leases.ts'
import { filterShapes } from './hooks.ts'
import { createLoop } from './loop.ts'
import type { Registered } from './owner.ts'
import { createQueue } from './queue.ts'
import { closeOverType, createRunner, type TickLimits, type TypedJob } from './runner.ts'
import { createSchedules } from './schedules.ts'
import { createSelfStarts, type Line } from './self-starts.ts'
import { createJobStore, toReport } from './store.ts'
import type { JobDefinition, Jobs, Queue } from './types.ts'

export { registerCron } from './cron-endpoint.ts'

export type * from './hooks.ts'

const LIMITS: TickLimits = { leaseTtl: 15_000, tickTime: 20_000, longestTick: 120_000 }
/** Jobs that jobs of one owner may start, each within the tick of the one before, within ten seconds. */
const SELF_STARTS = 100
/** Jobs of an owner of which it is known that another one started them. */
const MOST_LINES = 1_000
/** Milliseconds for which ended jobs are stored. */
const KEEP_ENDED = 30 * 24 * 3600 * 1000

/** A view of the jobs for one owner: what it registers is guarded by `owner.onError` and goes with `owner.signal`. */
export interface OwnedJobs extends Jobs, Staged {
  /** Removes the schedules and definitions; queues continue until the owner's signal is aborted. */
  [Symbol.dispose](): void
}

export interface JobsHost extends Jobs {
  /** Begins to drive running jobs and due schedules in this process. */
  start(): void
  /** Starts nothing more, and interrupts what runs, so that it can store how far it is. */
  interrupt(): void
  /** @param grace - Milliseconds that runs in progress get to end. */
  close(grace?: number): Promise<void>
  /** As `runDue`, but does not wait for schedules that are running already: one of them may be waiting for the caller. */
  startDue(): Promise<void>
  /** The queues of all owners, with the number of items waiting or in progress. */
  queues(): { readonly owner: string; readonly name: string; readonly size: number }[]
  /** Number of stored jobs. */
  countJobs(): Promise<{ readonly type: string; readonly state: string; readonly count: number }[]>
  /** @param options.staged - Hide schedules and definitions until `commit()`. */
  forOwner(owner: Owner, options?: { staged?: boolean }): OwnedJobs
}

/**
 * Schedules, resumable jobs and queues of a site.
 *
 * @param parts.timezone - IANA name that cron patterns are read in; empty is UTC.
 * @param parts.limits - For tests: shorter times of ticks and leases.
 */
export function createJobs(parts: {
  database: Database
  hooks: Hooks
  log: Logger
  timezone: () => string
  limits?: Partial<TickLimits>
}): JobsHost {
  const { database, hooks, log, timezone } = parts
  hooks.declareFilters(filterShapes)
  const limits = { ...LIMITS, ...parts.limits }
  const leases = createLeases(database, log)
  const store = createJobStore(database.db)
  const runner = createRunner({ store, leases, log, limits })
  const schedules = createSchedules({ database, leases, hooks, log, timezone, leaseTtl: limits.leaseTtl })
  const loop = createLoop({ store, runner, schedules, log })
  const closing = new AbortController()
  const queues = new Set<{
    readonly owner: string
    readonly name: string
    readonly queue: Pick<Queue<never>, 'size'>
  }>()

  async function startDue(): Promise<void> {
    const steps = (await store.due(Date.now())).map((row) => runner.step(row.id))
    const results = await Promise.allSettled([schedules.runDue(), ...steps])
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }

  const shared: Pick<Jobs, 'get' | 'list' | 'advance' | 'cancel' | 'runDue' | 'nextTime' | 'withLease'> = {
    get: runner.get,
    list: async (filter = {}) => (await store.list(filter)).map(toReport),
    async advance(id) {
      await runner.step(id)
      loop.wake()
      return runner.get(id)
    },
    cancel: runner.cancel,
    async runDue() {
      await startDue().finally(() => schedules.settled(limits.longestTick))
    },
    nextTime: schedules.nextTime,
    withLease: async (name, ttlMs, work) =>
      (await leases.hold(`lease:${name}`, { ttl: ttlMs }, (lease) => work(lease.signal)))?.result,
  }

  function forOwner(owner: Owner, { staged = false } = {}): OwnedJobs {
    const entries = new Map<{ live: boolean }, Undo>()
    const selfStarts = createSelfStarts(SELF_STARTS, (error, what) => owner.onError(error, what))
    /** By id, of jobs that were started within another one's tick. */
    const lines = new Map<string, Line>()

    /** The job's tick, in the line in which it was started. */
    function inLine(job: TypedJob): TypedJob {
      return {
        ...job,
        async tick(data, id, signal) {
          const result = await selfStarts.run(lines.get(id), () => job.tick(data, id, signal))
          if (result.done) lines.delete(id)
          return result
        },
      }
    }

    function noteLine(id: string, line: Line | undefined): void {
      if (line === undefined) return
      lines.set(id, line)
      // A canceled or failed job reports no end, so the oldest entry is dropped.
      const [oldest] = lines.keys()
      if (lines.size > MOST_LINES && oldest !== undefined) lines.delete(oldest)
    }

    function record<Value>(value: Value, add: (entry: Registered<Value>) => Undo): Undo {
      owner.signal.throwIfAborted()
      const entry = { owner, value, added: new Error('Registered here.'), live: !staged }
      const remove = add(entry)
      const undo = () => {
        owner.signal.removeEventListener('abort', undo)
        entries.delete(entry)
        remove()
      }
      entries.set(entry, undo)
      owner.signal.addEventListener('abort', undo, { once: true })
      loop.wake()
      return undo
    }

    return {
      ...shared,
      schedule: (name, when, run) => record({ name, when, run }, schedules.add),
      define<Schema extends z.ZodType>(definition: JobDefinition<Schema>) {
        const undo = record(inLine(closeOverType(definition)), runner.add)
        const job = {
          async start(data: z.output<Schema>) {
            const line = selfStarts.begin(`job ${definition.type}`)
            const row = await store.insert(definition.type, JSON.stringify(definition.data.parse(data)))
            noteLine(row.id, line)
            loop.wake()
            return toReport(row)
          },
        }
        return { job, undo }
      },
      createQueue(options) {
        owner.signal.throwIfAborted()
        const { queue, close } = createQueue(options, { owner, log })
        const entry = { owner: owner.id, name: options.name, queue }
        queues.add(entry)
        const undo = () => {
          queues.delete(entry)
          owner.signal.removeEventListener('abort', undo)
          closing.signal.removeEventListener('abort', undo)
          close()
        }
        owner.signal.addEventListener('abort', undo, { once: true })
        closing.signal.addEventListener('abort', undo, { once: true })
        return { queue, undo }
      },
      commit() {
        staged = false
        for (const entry of entries.keys()) entry.live = true
        loop.wake()
      },
      [Symbol.dispose]() {
        for (const undo of entries.values()) undo()
      },
    }
  }

  const core = forOwner(coreOwner((error, what) => log.error({ err: error }, `${what} failed`), closing.signal))
  core.schedule('forget-ended-jobs', '17 4 * * *', () => store.prune(Date.now() - KEEP_ENDED))

  return {
    ...core,
    forOwner,
    startDue,
    queues: () => [...queues].map(({ owner, name, queue }) => ({ owner, name, size: queue.size })),
    countJobs: store.count,
    start: loop.start,
    interrupt: loop.interrupt,
    async close(grace) {
      closing.abort(new Error('The host is closing.'))
      await loop.close(grace)
    },
  }
}
