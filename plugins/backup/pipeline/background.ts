import type { Jobs } from 'pentad'

/** Milliseconds after which another process may take over the work of one that died. */
export const LEASE = 10_000

/**
 * Work that takes longer than a tick: it goes on between the ticks, in one process of the site at a time, and leaves
 * its result in files, where any later tick finds it.
 */
export interface BackgroundWork {
  /**
   * Begins the work unless it is under way here or in another process, and waits for its end until the signal fires.
   * @throws what the work threw here; the next call then begins it anew
   */
  run(name: string, work: (signal: AbortSignal) => Promise<void>, until: AbortSignal): Promise<void>
  /** Whether this process has begun work whose end no `run` has seen yet. */
  isRunning(): boolean
  /** Ends what is under way here; resolves when it has ended. */
  stop(reason: Error): Promise<void>
}

/** Milliseconds between two looks whether another process has cancelled the job. */
const LOOK = 1000

/** @param isOver - Whether the job was cancelled meanwhile, here or elsewhere. */
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
      const look = setInterval(async () => {
        if (await isOver().catch(() => false)) over.abort(new Error('The job was cancelled.'))
      }, LOOK)
      try {
        await work(AbortSignal.any([lost, stopping.signal, over.signal]))
      } finally {
        clearInterval(look)
      }
    })
  }

  return {
    async run(name, work, until) {
      const under = running.get(name) ?? begin(name, work)
      if (!running.has(name)) {
        running.set(name, under)
        // Nobody may be waiting when it fails; whoever waits next is told.
        under.catch(() => {})
      }
      const waited = await hasEnded(under, until)
      if (waited) running.delete(name)
      await (waited ? under : undefined)
    },
    isRunning: () => running.size > 0,
    async stop(reason) {
      stopping.abort(reason)
      await Promise.allSettled(running.values())
    },
  }
}

/** Name of the lease that a job's work holds. */
export function leaseOf(jobId: string, name: string): string {
  return `backup:${jobId}:${name}`
}

/** Whether the work has ended, well or not, before the signal fired. */
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
