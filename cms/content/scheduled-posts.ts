import type { Hooks } from '../../core/hooks/types.ts'
import type { Logger } from '../../core/log.ts'
import type { Jobs } from '../jobs/types.ts'
import type { Posts } from './types.ts'

/** Milliseconds that `setTimeout` can wait at most. */
const LONGEST_WAIT = 2_147_483_647
/** Milliseconds to the next look if another process is about to publish what is due. */
const AGAIN = 1000

/** Publishes scheduled posts when their time has come. */
export interface ScheduledPosts {
  /** Publishes what came due while no process ran, and waits for the next. */
  start(): Promise<void>
  close(): Promise<void>
}

/**
 * The moments are in the posts themselves, so nothing is lost with a process; `publishDue` lets one process publish each
 * post. Each process waits for the next one that it knows of, and a schedule looks every minute for those that
 * another process has scheduled, or a clock that was set.
 */
export function createScheduledPosts(parts: { posts: Posts; hooks: Hooks; jobs: Jobs; log: Logger }): ScheduledPosts {
  const { posts, hooks, jobs, log } = parts
  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  let isClosed = false
  let looking = Promise.resolve()

  /** One look after the other. */
  function look(): Promise<void> {
    const done = looking.then(async () => {
      clearTimeout(timer)
      while (!isClosed && (await posts.publishDue()) > 0);
      const next = isRunning ? await posts.nextDue() : undefined
      if (next === undefined || !isRunning) return
      const wait = next - Date.now()
      timer = setTimeout(watch, wait > 0 ? Math.min(wait, LONGEST_WAIT) : AGAIN)
      timer.unref()
    })
    looking = done.catch(() => {})
    return done
  }

  function watch(): void {
    look().catch((error) => log.error({ err: error }, 'could not publish scheduled posts'))
  }

  const undo = [
    jobs.schedule('publish-scheduled-posts', '* * * * *', look),
    hooks.addAction('transition_post_status', function watchSchedule(newStatus) {
      if (newStatus === 'future' && isRunning) watch()
    }),
  ]

  return {
    async start() {
      isRunning = true
      await look()
    },
    async close() {
      isRunning = false
      isClosed = true
      clearTimeout(timer)
      for (const one of undo) one()
      await looking
    },
  }
}
