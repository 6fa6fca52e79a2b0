import { setTimeout as wait } from 'node:timers/promises'
import type { Updateable } from 'kysely'
import type { z } from 'zod'
import { fromGmt, toGmt } from '../../core/database/gmt.ts'
import { withOrigin } from '../../core/errors.ts'
import { outsideRequests } from '../../core/http/request-context.ts'
import type { Logger } from '../../core/log.ts'
import { startOfFuture } from '../database/clock.ts'
import { type Lease, LeaseLost, type Leases } from '../database/leases.ts'
import { isAboutValues } from '../database/value-errors.ts'
import { createRegister, type Registered, type Run } from './owner.ts'
import { type JobRow, type JobStore, type JobTable, NEVER, toReport } from './store.ts'
import { backOff, toGmtAtLeast } from './time.ts'
import type { JobDefinition, JobReport, TickResult } from './types.ts'

const DEFAULT_RETRIES = 3
/** Milliseconds before progress that could not be stored is stored again. */
const SETTLE_AGAIN = 500

/** Times of a tick, milliseconds. */
export interface TickLimits {
  /** Milliseconds after which a job is taken over if its driver died. */
  readonly leaseTtl: number
  /** The tick's signal fires after this. */
  readonly tickTime: number
  /** A tick that still runs after this is given up and counts as failed. */
  readonly longestTick: number
}

/** A definition with its schema's type closed over, so that definitions of all types fit one map. */
export interface TypedJob {
  readonly type: string
  readonly retries: number
  tick(data: string, id: string, signal: AbortSignal): Promise<TickResult<unknown>>
  cancelled(data: string, id: string): Promise<void>
  runsHere(data: string, idle: number): Promise<boolean>
}

export function closeOverType<Schema extends z.ZodType>(definition: JobDefinition<Schema>): TypedJob {
  const read = (data: string) => definition.data.parse(JSON.parse(data))
  return {
    type: definition.type,
    retries: definition.retries ?? DEFAULT_RETRIES,
    tick: async (data, id, signal) => definition.tick({ id, data: read(data), signal }),
    cancelled: async (data, id) => definition.cancelled?.(read(data), id),
    runsHere: async (data, idle) => definition.runsHere?.(read(data), idle) ?? true,
  }
}

/** Advances jobs tick by tick, each tick under the job's lease. */
export interface Runner {
  add(entry: Registered<TypedJob>): () => void
  defined(type: string): boolean
  /**
   * One tick, or the clearing up of a cancelled job. Does nothing before its time or while another driver is at it.
   *
   * @returns `false` while another driver is at it, or an earlier tick has not returned in this process
   */
  step(id: string): Promise<boolean>
  cancel(id: string): Promise<JobReport | undefined>
  get(id: string): Promise<JobReport | undefined>
  /** Ticks in progress. */
  running(): Run[]
  /** Interrupts ticks in progress; the next driver repeats what they have not stored. */
  close(): void
}

export function createRunner(parts: { store: JobStore; leases: Leases; log: Logger; limits: TickLimits }): Runner {
  const { store, leases, log, limits } = parts
  const definitions = createRegister<TypedJob>('job type')
  const ticking = new Map<string, { interrupt: AbortController } & Run>()
  /** Ticks that have not returned, by job, and until when the next one waits for them: also those whose lease was lost while this process was paused. */
  const unfinished = new Map<string, { waitUntil: number }>()
  const closing = new AbortController()

  async function step(id: string): Promise<boolean> {
    const row = await store.get(id)
    const known = row && definitions.get(row.type)
    if (!row || !isDue(row) || !known) return true
    if (!(await runsHere(known, row))) return false
    if ((unfinished.get(id)?.waitUntil ?? 0) > Date.now()) return false
    const held = await leases.hold(
      `job:${id}`,
      { ttl: limits.leaseTtl, longest: limits.longestTick },
      async (lease) => {
        // Read again: another driver may have advanced it before we got the lease.
        const current = await store.get(id)
        const entry = current && definitions.get(current.type)
        if (!current || !entry || !isDue(current) || !(await runsHere(entry, current))) return true
        const advance = current.state === 'cancelled' ? clearUp : tick
        return outsideRequests(() => advance(current, entry, lease), current.request_id ?? undefined)
      },
    )
    // Canceled during a tick: the canceling process could not acquire the lease, so cleanup is done here.
    if (held?.result === false && (await store.get(id))?.state === 'cancelled') return step(id)
    return held !== undefined
  }

  /** `false` if what the tick did was not stored. */
  async function tick(row: JobRow, { owner, added, value: job }: Registered<TypedJob>, lease: Lease): Promise<boolean> {
    const interrupt = new AbortController()
    const timer = setTimeout(() => interrupt.abort(new Error('The step exceeded its time limit.')), limits.tickTime)
    const unloaded = AbortSignal.any([owner.signal, closing.signal])
    const signal = AbortSignal.any([interrupt.signal, unloaded, lease.signal])
    ticking.set(row.id, { interrupt, owner: owner.id, what: `job ${row.type}` })
    try {
      const work = job.tick(row.data, row.id, signal)
      noteUnfinished(row.id, work)
      const result = await untilLost(work, lease)
      return await settle(lease, row, whatIsLeft(row, result))
    } catch (error) {
      if (unloaded.aborted) return true
      if (isLost(lease)) return false
      const failures = row.attempts + 1
      const again = failures <= job.retries
      const settled = await settle(
        lease,
        row,
        again
          ? { attempts: failures, run_after_gmt: toGmtAtLeast(Date.now() + backOff(failures, error)) }
          : { attempts: failures, run_after_gmt: NEVER, state: 'failed', error: messageOf(error) },
      )
      if (settled && again)
        log.warn({ err: error, job: row.id, type: row.type, failures }, 'job step failed, will be retried')
      if (settled && !again) owner.onError(withOrigin(error, added), `job ${row.type}`)
      return settled
    } finally {
      clearTimeout(timer)
      if (ticking.get(row.id)?.interrupt === interrupt) ticking.delete(row.id)
    }
  }

  function noteUnfinished(id: string, work: Promise<unknown>): void {
    const entry = { waitUntil: Date.now() + limits.longestTick }
    const end = () => {
      if (unfinished.get(id) === entry) unfinished.delete(id)
    }
    unfinished.set(id, entry)
    work.then(end, end)
  }

  async function clearUp(row: JobRow, { owner, added, value: job }: Registered<TypedJob>, lease: Lease): Promise<true> {
    try {
      await untilLost(job.cancelled(row.data, row.id), lease)
      await settle(lease, row, { run_after_gmt: NEVER })
    } catch (error) {
      if (isLost(lease)) return true
      const failures = row.attempts + 1
      const again = failures <= job.retries
      const run_after_gmt = again ? toGmtAtLeast(Date.now() + backOff(failures, error)) : NEVER
      const settled = await settle(lease, row, { attempts: failures, run_after_gmt })
      if (settled && !again) owner.onError(withOrigin(error, added), `clearing up after job ${row.type}`)
    }
    return true
  }

  /**
   * Stores the result, with retries while the lease is held: a locked or unavailable database is not a failure of the job. Resolves to
   * `false` if the lease was lost or another process has changed the job's state; the next driver then repeats what was not stored.
   * @throws errors of the database for values that it cannot store
   */
  async function settle(lease: Lease, row: JobRow, changes: Updateable<JobTable>): Promise<boolean> {
    const over = AbortSignal.any([lease.signal, closing.signal])
    for (let failures = 1; ; failures++) {
      try {
        return await store.settle(lease, row, changes)
      } catch (error) {
        if (isAboutValues(error)) throw error
        log.warn({ err: error, job: row.id, type: row.type, failures }, 'could not store job progress')
        await wait(SETTLE_AGAIN, undefined, { signal: over }).catch(() => {})
        if (over.aborted) return false
      }
    }
  }

  return {
    add: (entry) => definitions.add(entry.value.type, entry),
    defined: (type) => definitions.get(type) !== undefined,
    // A poll over HTTP can drive a job, but the job does not run as the user of that request.
    step: (id) => outsideRequests(() => step(id)),
    async cancel(id) {
      if (await store.cancel(id)) {
        ticking.get(id)?.interrupt.abort(new Error('The job was canceled.'))
        // If a tick is in progress, its lease prevents this, and the scheduler cleans up afterward.
        await step(id)
      }
      const row = await store.get(id)
      return row && toReport(row)
    },
    async get(id) {
      const row = await store.get(id)
      return row && toReport(row)
    },
    running: () => Array.from(ticking.values(), ({ owner, what }) => ({ owner, what })),
    close: () => closing.abort(new Error('The host is closing.')),
  }
}

/** As `JobStore.due`, which compares times as text: a job that only one of them takes for due would be looked at again and again. */
function isDue(row: JobRow): boolean {
  const open = row.state === 'running' || row.state === 'cancelled'
  if (!open || row.run_after_gmt === NEVER) return false
  const now = Date.now()
  return row.run_after_gmt <= toGmt(now) || row.updated_gmt > toGmt(startOfFuture(now))
}

function runsHere({ value: job }: Registered<TypedJob>, { data, run_after_gmt: due, updated_gmt: updated }: JobRow) {
  return job.runsHere(data, Date.now() - Math.max(...[due, updated].map((time) => Date.parse(fromGmt(time)))))
}

function whatIsLeft(row: JobRow, result: TickResult<unknown>) {
  const message = result.message ?? row.message
  if (result.done) {
    const data = result.data === undefined ? row.data : JSON.stringify(result.data)
    return { state: 'complete', data, percent: 100, message, error: null, attempts: 0, run_after_gmt: NEVER }
  }
  const asked = Math.floor(result.percent ?? 0)
  return {
    data: JSON.stringify(result.data),
    percent: Math.max(row.percent, Math.min(100, Number.isFinite(asked) ? asked : 0)),
    message,
    attempts: 0,
    run_after_gmt: result.delayMs ? toGmtAtLeast(Date.now() + result.delayMs) : toGmt(Date.now()),
  }
}

/** Whether another process may hold the lease by now. A tick that held its lease for too long has failed instead. */
function isLost({ signal }: Lease): boolean {
  return signal.reason instanceof LeaseLost
}

/** The result of `work`, or a rejection when the lease is lost. */
function untilLost<Result>(work: Promise<Result>, { signal }: Lease): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

/** Without what PostgreSQL has no character for: that a job has failed must be stored. */
function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll('\0', '')
}
