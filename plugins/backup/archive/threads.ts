import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { createThreadPool, RestError } from 'pentad'
import type { Answer, Work } from './thread.ts'

/** What packs and unpacks one archive in threads. Whoever has it gives it no more than `count` tasks at once. */
export interface Threads {
  readonly count: number
  /** @throws RestError if the archive is refused */
  run<Kind extends keyof Work>(kind: Kind, task: Work[Kind]['task']): Promise<Work[Kind]['result']>
  /** Ends its tasks at once, whatever they do, and no others; resolves when their threads have ended. */
  close(): Promise<void>
}

/**
 * All archives share the threads: to begin one costs a tenth of a second of processor time, more than most of its work.
 * None runs until there is work, and idle ones go.
 */
const pool = createThreadPool(new URL('./thread.ts', import.meta.url), {
  // Each archive keeps to its own count; of threads that nobody limits, a library's mistake would make too many.
  maxThreads: 64,
  idleTimeout: 5000,
  // What lives long is small; without this each thread keeps some 50 MB for what does not.
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
        const answer = await pool.run<Answer<Work[Kind]['result']>>({ kind, task }, ending.signal)
        if ('refused' in answer) throw new RestError(answer.refused.code, answer.refused.message, { status: 400 })
        return answer.result
      } finally {
        running.delete(ending)
      }
    },
    async close() {
      const { threads } = pool
      for (const ending of running) ending.abort(new Error('The archive is closed.'))
      // The pool ends the thread of a task that is ended.
      const left = pool.threads
      await Promise.all(threads.filter((thread) => !left.includes(thread)).map((thread) => once(thread, 'exit')))
    },
  }
}
