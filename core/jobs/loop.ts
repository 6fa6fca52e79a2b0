import { waitAtMost } from '../http/closing-time.ts'
import { outsideRequests } from '../http/request-context.ts'
import type { Logger } from '../log.ts'
import type { Runner } from './runner.ts'
import type { Schedules } from './schedules.ts'
import type { JobStore } from './store.ts'

/** Jobs that one process drives at the same time. */
const CONCURRENT_JOBS = 4
/** Milliseconds after which a process looks for jobs that another one started. */
const POLL = 5000
/** Milliseconds that runs under way get to end when the loop closes. */
const CLOSE_GRACE = 5000
/** At least, where the time of closing is used up already. */
const LEAST_GRACE = 300

/** The scheduler's heartbeat in this process. It does not keep the process alive. */
export interface Loop {
  start(): void
  /** Looks at once for something to do. */
  wake(): void
  /** Starts nothing more, and interrupts what runs. */
  interrupt(): void
  close(grace?: number): Promise<void>
}

export function createLoop(parts: { store: JobStore; runner: Runner; schedules: Schedules; log: Logger }): Loop {
  const { store, runner, schedules, log } = parts
  const underWay = new Set<Promise<void>>()
  const driven = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let started = false
  let looking = false
  let lookAgain = false

  function track(work: Promise<void>, what: string): void {
    const tracked: Promise<void> = work
      .catch((error) => log.error({ err: error }, `${what} failed`))
      .finally(() => underWay.delete(tracked))
    underWay.add(tracked)
  }

  async function drive(id: string): Promise<void> {
    try {
      await runner.step(id)
    } catch (error) {
      // What keeps the database from giving the lease would do so again at once.
      setTimeout(() => driven.delete(id), POLL).unref()
      throw error
    }
    driven.delete(id)
    wake()
  }

  /** Starts what is due and answers when to look next. */
  async function look(): Promise<number> {
    if (schedules.next() <= Date.now()) track(schedules.runDue(), 'schedules')
    const due = (await store.due(Date.now())).filter((row) => runner.defined(row.type) && !driven.has(row.id))
    for (const { id } of due.slice(0, CONCURRENT_JOBS - driven.size)) {
      driven.add(id)
      track(drive(id), 'job')
    }
    const now = Date.now()
    const nextDue = Date.parse(`${(await store.nextDue()) ?? ''}Z`)
    // A job that is due now is either driven here already, and wakes us, or held elsewhere.
    const nextJob = nextDue > now ? nextDue : now + POLL
    return Math.min(now + POLL, schedules.next(), nextJob)
  }

  function wake(): void {
    outsideRequests(wakeUp)
  }

  function wakeUp(): void {
    if (!started) return
    if (looking) {
      lookAgain = true
      return
    }
    clearTimeout(timer)
    looking = true
    lookAgain = false
    look()
      .catch((error) => {
        log.error({ err: error }, 'scheduler could not look for work')
        return Date.now() + POLL
      })
      .then((next) => {
        looking = false
        if (!started) return
        if (lookAgain) return wake()
        timer = setTimeout(wake, Math.max(50, next - Date.now()))
        timer.unref()
      })
  }

  function interrupt(): void {
    started = false
    clearTimeout(timer)
    schedules.close()
    runner.close()
  }

  return {
    start() {
      started = true
      wake()
    },
    wake,
    interrupt,
    async close(grace = CLOSE_GRACE) {
      interrupt()
      if (await waitAtMost(Math.min(CLOSE_GRACE, Math.max(LEAST_GRACE, grace)), Promise.all(underWay))) return
      for (const { owner, what } of [...runner.running(), ...schedules.running()]) {
        log.warn({ extension: owner, run: what }, 'the site closes, but this run has not ended')
      }
    },
  }
}
