import type { Jobs } from 'pentad'

/** Lease duration in ms, after which another process may take over the work of a crashed one. */
export const LEASE = 10_000

/**
 * Work that outlasts a tick. It continues between ticks, in one process of the site at a time, and stores its result in
 * files for later ticks.
 */
export interface BackgroundWork {
  /**
   * Starts the work unless it is running here or in another process, and waits for it until the signal fires.
   * @throws the error of the work in this process; the next call restarts it
   */
  run(name: string, work: (signal: AbortSignal) => Promise<void>, until: AbortSignal): Promise<void>
  /** Whether this process has work whose result was not yet returned by `run`. */
  isRunning(): boolean
  /** Aborts the work of this process; resolves when it has ended. */
  stop(reason: Error): Promise<void>
}

/** Poll interval for a cancellation by another process, in ms. */
const POLL_INTERVAL = 1000

/** @param isOver - Whether the job was canceled in any process. */
export function createBackgroundWork(
  jobs: Pick<Jobs, 'withLease'>,
  jobId: string,
  isOver: () => Promise<boolean>,
): BackgroundWork {
  const running = new Map<string, Promise<void>>()
  const stopping = new AbortController()

  async function begin(name: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    stopping.signal.throwIfAborted()
    await jobs.withLease(leaseOf(jobId, name), LEASE, async (lost) => {
      const over = new AbortController()
      const poll = setInterval(async () => {
        if (await isOver().catch(() => false)) over.abort(new Error('The job was canceled.'))
      }, POLL_INTERVAL)
      try {
        await work(AbortSignal.any([lost, stopping.signal, over.signal]))
      } finally {
        clearInterval(poll)
      }
    })
  }

  return {
    async run(name, work, until) {
      const started = running.get(name) ?? begin(name, work)
      if (!running.has(name)) {
        running.set(name, started)
        // Avoids an unhandled rejection; the next `run` receives the error.
        started.catch(() => {})
      }
      const waited = await hasEnded(started, until)
      if (waited) running.delete(name)
      await (waited ? started : undefined)
    },
    isRunning: () => running.size > 0,
    async stop(reason) {
      stopping.abort(reason)
      await Promise.allSettled(running.values())
    },
  }
}

/** Name of the lease for a job's work. */
export function leaseOf(jobId: string, name: string): string {
  return `backup:${jobId}:${name}`
}

/** Whether the work settled before the signal fired. */
export function hasEnded(work: Promise<void>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(false), { once: true })
    if (signal.aborted) resolve(false)
    work.then(
      () => resolve(true),
      () => resolve(true),
    )
  })
}
