import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { createThreadPool, RestError } from 'pentad'
import type { Outcome, Work } from './thread.ts'

/** Threads that pack and unpack one archive. The caller runs at most `count` tasks concurrently. */
export interface Threads {
  readonly count: number
  /** @throws RestError if the archive is rejected */
  run<Kind extends keyof Work>(kind: Kind, task: Work[Kind]['task']): Promise<Work[Kind]['result']>
  /** Terminates its tasks immediately; resolves when their threads have exited. */
  close(): Promise<void>
}

/**
 * All archives share one thread pool: starting a thread costs about 0.1 s of CPU time, more than most tasks. Threads
 * start on demand and exit when idle.
 */
const pool = createThreadPool(new URL('./thread.ts', import.meta.url), {
  // Each archive limits itself to its count. This is a safety limit.
  maxThreads: 64,
  idleTimeout: 5000,
  // Long-lived data is small; without this, each thread reserves about 50 MB for short-lived data.
  resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 3 },
})

export function createThreads(count = availableParallelism()): Threads {
  const running = new Set<AbortController>()

  return {
    count,
    async run<Kind extends keyof Work>(kind: Kind, task: Work[Kind]['task']): Promise<Work[Kind]['result']> {
      const ending = new AbortController()
      running.add(ending)
      try {
        const outcome = await pool.run<Outcome<Work[Kind]['result']>>({ kind, task }, ending.signal)
        if ('error' in outcome) throw new RestError(outcome.error.code, outcome.error.message, { status: 400 })
        return outcome.result
      } finally {
        running.delete(ending)
      }
    },
    async close() {
      const { threads } = pool
      for (const ending of running) ending.abort(new Error('The archive was closed.'))
      // The pool terminates the thread of an aborted task.
      const left = pool.threads
      await Promise.all(threads.filter((thread) => !left.includes(thread)).map((thread) => once(thread, 'exit')))
    },
  }
}
