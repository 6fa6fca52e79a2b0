import { getCompileCacheDir } from 'node:module'
import { availableParallelism } from 'node:os'
import { RestError } from 'pentad'
import type { Piscina } from 'piscina'
import type { Answer, Work } from './thread.ts'

/** The threads that pack and unpack; none runs until there is work, and idle ones go. */
export interface Threads {
  readonly count: number
  /** @throws RestError if the archive is refused */
  run<Kind extends keyof Work>(kind: Kind, task: Work[Kind]['task']): Promise<Work[Kind]['result']>
  /** Ends the threads at once, whatever they do; the next work begins new ones. */
  close(): Promise<void>
}

export function createThreads(count = availableParallelism()): Threads {
  let pool: Promise<Piscina> | undefined

  return {
    count,
    async run<Kind extends keyof Work>(kind: Kind, task: Work[Kind]['task']): Promise<Work[Kind]['result']> {
      pool ??= openPool(count)
      const answer: Answer<Work[Kind]['result']> = await (await pool).run({ kind, task })
      if ('refused' in answer) throw new RestError(answer.refused.code, answer.refused.message, { status: 400 })
      return answer.result
    },
    async close() {
      const ending = pool
      pool = undefined
      await (await ending)?.destroy()
    },
  }
}

/** Loaded when there is work: a start need not wait for it. */
async function openPool(count: number): Promise<Piscina> {
  const { Piscina } = await import('piscina')
  const cache = getCompileCacheDir()
  return new Piscina({
    filename: new URL('./thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: count,
    idleTimeout: 5000,
    // Threads do not take over the cache of compiled code. With it they need not load the compiler of TypeScript.
    env: { ...process.env, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) },
    // What lives long is small; without this each thread keeps some 50 MB for what does not.
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 3 },
  })
}
