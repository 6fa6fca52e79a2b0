import { createThreadPool } from 'pentad'
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
  const file = new URL('./critical-worker.ts', import.meta.url)
  return createThreadPool(file, { maxThreads: 1, idleTimeout: IDLE_MS })
}
