import { waitAtMost } from '../../core/http/closing-time.ts'
import { outsideRequests } from '../../core/http/request-context.ts'
import type { Logger } from '../../core/log.ts'
import type { Runner } from './runner.ts'
import type { Schedules } from './schedules.ts'
import type { JobRow, JobStore } from './store.ts'

/** Jobs that one process drives at the same time. */
const CONCURRENT_JOBS = 4
/** Milliseconds after which a process looks for jobs that another one started. */
const POLL = 5000
/** Milliseconds after which a job whose lease is held by another process is retried. */
const HELD_ELSEWHERE = 1000
/** Milliseconds for runs in progress to end when the loop closes. */
const CLOSE_GRACE = 5000
/** Minimum, even if the time for closing is used up. */
const LEAST_GRACE = 300

/** The scheduler loop of this process. It does not keep the process alive. */
export interface Loop {
  start(): void
  /** Checks immediately for due work. */
  wake(): void
  /** Starts nothing more, and interrupts what runs. */
  interrupt(): void
  close(grace?: number): Promise<void>
}

export function createLoop(parts: { store: JobStore; runner: Runner; schedules: Schedules; log: Logger }): Loop {
  const { store, runner, schedules, log } = parts
  const inProgress = new Set<Promise<void>>()
  const driven = new Set<string>()
  /** Jobs that cannot be driven at the moment and would fail again immediately. */
  const postponed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let started = false
  let looking = false
  let lookAgain = false
  let nextRepetition = 0

  function track(work: Promise<void>, what: string): void {
    const tracked: Promise<void> = work
      .catch((error) => log.error({ err: error }, `${what} failed`))
      .finally(() => inProgress.delete(tracked))
    inProgress.add(tracked)
  }

  function postpone(id: string, milliseconds: number): void {
    postponed.add(id)
    const resume = () => {
      postponed.delete(id)
      wake()
    }
    setTimeout(resume, milliseconds).unref()
  }

  async function drive(id: string): Promise<void> {
    try {
      const isOurs = await runner.step(id).finally(() => driven.delete(id))
      if (isOurs) wake()
      else postpone(id, HELD_ELSEWHERE)
    } catch (error) {
      // The error of the database would occur again immediately.
      postpone(id, POLL)
      throw error
    }
  }

  /** Starts everything that is due. Resolves to the time of the next check. */
  async function look(): Promise<number> {
    if (schedules.next() <= Date.now()) track(schedules.runDue(), 'schedules')
    if (nextRepetition <= performance.now()) {
      nextRepetition = performance.now() + POLL
      track(schedules.repeatInterrupted(), 'repeating interrupted schedules')
    }
    const isFree = ({ id, type }: JobRow) => runner.defined(type) && !driven.has(id) && !postponed.has(id)
    const due = (await store.due(Date.now())).filter(isFree)
    for (const { id } of due.slice(0, CONCURRENT_JOBS - driven.size)) {
      driven.add(id)
      track(drive(id), 'job')
    }
    const now = Date.now()
    const nextDue = Date.parse(`${(await store.nextDue()) ?? ''}Z`)
    // A job that is due now is either driven here already or postponed, and wakes us either way.
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
        log.error({ err: error }, 'scheduler could not read jobs')
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
      if (await waitAtMost(Math.min(CLOSE_GRACE, Math.max(LEAST_GRACE, grace)), Promise.all(inProgress))) return
      for (const { owner, what } of [...runner.running(), ...schedules.running()]) {
        log.warn({ extension: owner, run: what }, 'run still in progress at shutdown')
      }
    },
  }
}
