import type { Piscina } from 'piscina'
import type { PageTokens } from './critical-rules.ts'

/** Milliseconds after which the thread ends for want of work. */
const IDLE_MS = 30_000

/** The thread that finds critical rules. It starts with the first task. */
export interface CriticalThread {
  /** @param signal ends the thread in the midst of the task */
  run(task: { css: string; tokens: PageTokens }, signal: AbortSignal): Promise<string | undefined>
  close(): Promise<void>
}

export function createCriticalThread(): CriticalThread {
  let pool: Promise<Piscina> | undefined

  async function open(): Promise<Piscina> {
    const { Piscina } = await import('piscina')
    const filename = new URL('./critical-worker.ts', import.meta.url).href
    return new Piscina({ filename, minThreads: 0, maxThreads: 1, idleTimeout: IDLE_MS })
  }

  return {
    async run(task, signal) {
      pool ??= open()
      const result: unknown = await (await pool).run(task, { signal })
      return typeof result === 'string' ? result : undefined
    },
    async close() {
      await (await pool)?.destroy()
    },
  }
}
