import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { availableParallelism } from 'node:os'
import { RestError } from 'pentad'
import type { Piscina } from 'piscina'
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
let pool: Promise<Piscina> | undefined

/** Each archive keeps to its own count; of threads that nobody limits, a library's mistake would make too many. */
const MOST_THREADS = 64

export function createThreads(count = availableParallelism()): Threads {
  const running = new Set<AbortController>()

  return {
    count,
    async run<Kind extends keyof Work>(kind: Kind, task: Work[Kind]['task']): Promise<Work[Kind]['result']> {
      const ending = new AbortController()
      running.add(ending)
      try {
        pool ??= openPool()
        const { signal } = ending
        const answer: Answer<Work[Kind]['result']> = await (await pool).run({ kind, task }, { signal })
        if ('refused' in answer) throw new RestError(answer.refused.code, answer.refused.message, { status: 400 })
        return answer.result
      } finally {
        running.delete(ending)
      }
    },
    async close() {
      const opened = await pool
      const threads = opened?.threads ?? []
      for (const ending of running) ending.abort(new Error('The archive is closed.'))
      // The pool ends the thread of a task that is ended.
      const left = opened?.threads ?? []
      await Promise.all(threads.filter((thread) => !left.includes(thread)).map((thread) => once(thread, 'exit')))
    },
  }
}

/** Loaded when there is work: a start need not wait for it. */
async function openPool(): Promise<Piscina> {
  const { Piscina } = await import('piscina')
  const cache = getCompileCacheDir()
  return new Piscina({
    filename: new URL('./thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: MOST_THREADS,
    idleTimeout: 5000,
    // Threads do not take over the cache of compiled code. With it they need not load the compiler of TypeScript.
    env: { ...process.env, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) },
    // What lives long is small; without this each thread keeps some 50 MB for what does not.
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 3 },
  })
}
