import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { Cron } from 'croner'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../core/database/index.ts'
import { withOrigin } from '../../core/errors.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import { waitAtMost } from '../../core/http/closing-time.ts'
import { outsideRequests } from '../../core/http/request-context.ts'
import type { Logger } from '../../core/log.ts'
import { isTimezone } from '../../core/options/site-info.ts'
import { currentTime, isFromFuture } from '../database/clock.ts'
import { type Lease, type LeaseDatabase, type Leases, type TakenLease, takeLease } from '../database/leases.ts'
import type { CronSchedule } from './hooks.ts'
import { createRegister, type Registered, type Run } from './owner.ts'

/** WordPress's recurrence names. In WordPress they count from when an event was scheduled; here they are fixed times of the site's day. */
const RHYTHMS: Readonly<Record<string, CronSchedule>> = {
  hourly: { pattern: '0 * * * *', display: 'Once hourly' },
  twicedaily: { pattern: '0 0,12 * * *', display: 'Twice daily' },
  daily: { pattern: '0 0 * * *', display: 'Once daily' },
  weekly: { pattern: '0 0 * * 1', display: 'Once weekly' },
}

/** Start of the holder of the lease of a run that repeats an interrupted one. */
const REPEATED = 'repeated:'

/** Holder of the lease of a run that was aborted because its process closed. */
const INTERRUPTED = 'interrupted'

/** Something to run at the times of a pattern. */
export interface Schedule {
  readonly name: string
  readonly when: string
  run(signal: AbortSignal): void | Promise<void>
}

export interface Schedules {
  /** @throws Error if `when` is neither a rhythm nor a pattern. */
  add(entry: Registered<Schedule>): () => void
  /** Runs everything that is due and was not run by another process, concurrently; resolves when all have ended. */
  runDue(): Promise<void>
  /** Repeats runs whose process was killed or has closed, once each; resolves when all have ended. Called periodically. */
  repeatInterrupted(): Promise<void>
  /**
   * Resolves when all calls of `runDue` in progress have ended, or after that many milliseconds; within a run at once, because the run may be
   * one of them.
   */
  settled(longest: number): Promise<void>
  /** When the next one is due, milliseconds since 1970. */
  next(): number
  /** Next time of a pattern or recurrence; `undefined` if there is none, or it is invalid. */
  nextTime(when: string): number | undefined
  /** Runs in progress. */
  running(): Run[]
  /** Aborts runs in progress. */
  close(): void
}

/**
 * Schedules that run once among all processes of the site. The last run of each is stored in the `leases` table, as a row whose `expires`
 * is its time: the process that advances it from the value that all have read runs the schedule. After a downtime, a missed schedule runs
 * once. A run holds a lease, taken in the same transaction, which remains if its process is killed or closes: then another process takes it over and repeats the run.
 */
export function createSchedules(parts: {
  database: LeaseDatabase
  leases: Leases
  hooks: Hooks
  log: Logger
  timezone: () => string
  leaseTtl: number
}): Schedules {
  const { leases, hooks, log, timezone, leaseTtl } = parts
  const { kind, db } = parts.database
  const register = createRegister<Schedule>('schedule')
  const lastRuns = new Map<string, number>()
  const nextRuns = new WeakMap<Registered<Schedule>, { pattern: string; zone: string; moment: number; next: number }>()
  const running = new Set<Run>()
  /** Since when this process has seen the expired leases of runs. */
  let expired = new Map<string, number>()
  const calls = new Set<Promise<unknown>>()
  const inRun = new AsyncLocalStorage<true>()
  const closing = new AbortController()

  const keyOf = ({ owner, value }: Registered<Schedule>) => `schedule:${owner.id}:${value.name}`
  const runOf = (entry: Registered<Schedule>) => `run:${keyOf(entry)}`

  const patternOf = (when: string) => hooks.applyFilters('cron_schedules', RHYTHMS)[when]?.pattern ?? when

  function nextAfter(entry: Registered<Schedule>, moment: number): number {
    const pattern = patternOf(entry.value.when)
    const zone = timezone()
    // Asked with every tick of every job, and costly.
    const known = nextRuns.get(entry)
    if (known?.pattern === pattern && known.zone === zone && known.moment === moment) return known.next
    const next = nextOf(entry, pattern, zone, moment)
    nextRuns.set(entry, { pattern, zone, moment, next })
    return next
  }

  function nextOf(entry: Registered<Schedule>, pattern: string, zone: string, moment: number): number {
    try {
      return cronOf(pattern, zone).nextRun(new Date(moment))?.getTime() ?? Number.POSITIVE_INFINITY
    } catch (error) {
      // The rhythm's name went away with the extension that added it.
      log.debug({ err: error, schedule: entry.value.name }, 'schedule has no next run')
      return Number.POSITIVE_INFINITY
    }
  }

  /** When it last ran, by what this process knows; a schedule never seen before, or last run by a clock that was set back, counts from now. */
  async function lastRun(key: string, refresh = false): Promise<number> {
    const known = lastRuns.get(key)
    if (known !== undefined && !refresh && !isFromFuture(known)) return known
    await db
      .insertInto('leases')
      .values({ name: key, holder: '', expires: Date.now() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
    const { expires } = await db
      .selectFrom('leases')
      .select('expires')
      .where('name', '=', key)
      .executeTakeFirstOrThrow()
    if (isFromFuture(expires)) {
      await advance(db, key, { from: expires, to: Date.now() })
      return lastRun(key, true)
    }
    lastRuns.set(key, expires)
    return expires
  }

  /** `false` if another process has run the schedule since. */
  async function advance(
    on: Kysely<Schema>,
    key: string,
    { from, to }: { from: number; to: number },
  ): Promise<boolean> {
    const advanced = await on
      .updateTable('leases')
      .set({ expires: to })
      .where('name', '=', key)
      .where('expires', '=', from)
      .returning('name')
      .executeTakeFirst()
    return advanced !== undefined
  }

  async function runIfDue(entry: Registered<Schedule>): Promise<void> {
    const key = keyOf(entry)
    const last = await lastRun(key)
    const now = Date.now()
    if (nextAfter(entry, last) > now) return
    // Together, so that a process that is killed in between does not lose the run.
    const { isOurs, lease } = await db.transaction().execute(async (transaction) => {
      const isOurs = await advance(transaction, key, { from: last, to: now })
      return { isOurs, lease: isOurs ? await takeLease({ kind, db: transaction }, runOf(entry), leaseTtl) : undefined }
    })
    if (isOurs) lastRuns.set(key, now)
    else await lastRun(key, true)
    const { owner, value } = entry
    if (lease) await run(entry, lease)
    else if (isOurs)
      log.warn({ owner: owner.id, schedule: value.name }, 'schedule skipped: previous run still in progress')
  }

  /** @param isRepetition - Whether it repeats an interrupted run, and is not repeated itself. */
  async function run(
    { owner, added, value }: Registered<Schedule>,
    taken: TakenLease,
    isRepetition = false,
  ): Promise<void> {
    const what = `schedule ${value.name}`
    const current = { owner: owner.id, what }
    running.add(current)
    try {
      await leases.keep(taken, { ttl: leaseTtl }, async (lease) => {
        try {
          await inRun.run(true, () => value.run(AbortSignal.any([owner.signal, closing.signal, lease.signal])))
        } catch (error) {
          if (closing.signal.aborted && !isRepetition) await leaveExpired(lease)
          throw error
        }
      })
    } catch (error) {
      if (!owner.signal.aborted && !closing.signal.aborted) owner.onError(withOrigin(error, added), what)
    } finally {
      running.delete(current)
    }
  }

  /** For another process, or the next start, to repeat the run. */
  async function leaveExpired({ name, holder }: Lease): Promise<void> {
    await db
      .updateTable('leases')
      .set({ holder: INTERRUPTED, expires: currentTime(kind) })
      .where('name', '=', name)
      .where('holder', '=', holder)
      .execute()
  }

  /** Expired leases of runs. A process that was suspended renews its own at once, so they count only after a while. */
  async function interruptedRuns(): Promise<Registered<Schedule>[]> {
    const entries = new Map([...register.all()].map((entry) => [runOf(entry), entry]))
    const rows = await db
      .selectFrom('leases')
      .select('name')
      .where('name', 'like', 'run:schedule:%')
      .where('expires', '<=', currentTime(kind))
      .where('holder', 'not like', `${REPEATED}%`)
      .execute()
    const now = performance.now()
    expired = new Map(rows.map(({ name }) => [name, expired.get(name) ?? now]))
    return rows.flatMap(({ name }) => (now - (expired.get(name) ?? now) >= leaseTtl ? (entries.get(name) ?? []) : []))
  }

  /** Takes the lease over as that of a repetition, which is not repeated: a run that ends its process each time would otherwise do so forever. */
  async function repeat(entry: Registered<Schedule>): Promise<void> {
    const now = currentTime(kind)
    const taken = await db
      .updateTable('leases')
      .set({ holder: `${REPEATED}${randomUUID()}`, expires: sql<number>`${now} + ${leaseTtl}` })
      .where('name', '=', runOf(entry))
      .where('expires', '<=', now)
      .where('holder', 'not like', `${REPEATED}%`)
      .returning(['name', 'holder'])
      .executeTakeFirst()
    if (taken) await run(entry, taken, true)
  }

  return {
    add(entry) {
      const { name, when } = entry.value
      try {
        cronOf(patternOf(when), timezone())
      } catch (error) {
        throw new Error(
          `The schedule "${name}" has the invalid interval "${when}". Use a cron expression or one of: ${Object.keys(hooks.applyFilters('cron_schedules', RHYTHMS)).join(', ')}.`,
          { cause: error },
        )
      }
      return register.add(`${entry.owner.id}:${name}`, entry)
    },
    async runDue() {
      const call = outsideRequests(() => Promise.all([...register.all()].map(runIfDue)))
      calls.add(call)
      await call.finally(() => calls.delete(call))
    },
    async repeatInterrupted() {
      const interrupted = await interruptedRuns()
      await outsideRequests(() => Promise.all(interrupted.map(repeat)))
    },
    async settled(longest) {
      if (!inRun.getStore()) await waitAtMost(longest, Promise.allSettled(calls))
    },
    next: () =>
      Math.min(
        Number.POSITIVE_INFINITY,
        ...[...register.all()].map((entry) => {
          const last = lastRuns.get(keyOf(entry)) ?? 0
          return nextAfter(entry, isFromFuture(last) ? 0 : last)
        }),
      ),
    nextTime(when) {
      try {
        return cronOf(patternOf(when), timezone()).nextRun(new Date())?.getTime()
      } catch {
        return undefined
      }
    },
    running: () => [...running],
    close: () => closing.abort(new Error('The host is closing.')),
  }
}

/** In UTC if the time zone is empty or unknown to this process. With an offset, croner is several times as fast as with a time zone. */
function cronOf(pattern: string, zone: string): Cron {
  const place = zone === '' || !isTimezone(zone) ? { utcOffset: 0 } : { timezone: zone }
  return new Cron(pattern, { ...place, paused: true })
}
