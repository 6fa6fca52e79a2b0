import { createThreadPool } from 'pentad'
import type { PageTokens } from './critical-rules.ts'

/** Idle time after which the thread exits, in ms. */
const IDLE_MS = 30_000

/** The thread that extracts critical rules. Started by the first task. */
export interface CriticalThread {
  /** @param signal terminates the thread */
  run(task: { css: string; tokens: PageTokens }, signal: AbortSignal): Promise<string | undefined>
  close(): Promise<void>
}

export function createCriticalThread(): CriticalThread {
  const file = new URL('./critical-worker.ts', import.meta.url)
  return createThreadPool(file, { maxThreads: 1, idleTimeout: IDLE_MS })
}
