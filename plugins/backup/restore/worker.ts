/** The process that works on a restore. */
import { hostname } from 'node:os'
import type { RestoreState } from './state.ts'

type Worker = NonNullable<RestoreState['worker']>

/** Milliseconds after which a process that still lives but does nothing loses a restore to another one. */
const WORKER_LOST = 30_000

/** This process, working now. */
export function describeWorker(id: string): Worker {
  return { id, machine: hostname(), pid: process.pid, at: Date.now() }
}

/** Whether it may still be at work. */
export function isAlive({ machine, pid, at }: Worker): boolean {
  if (Date.now() - at > WORKER_LOST) return false
  if (machine !== hostname()) return true
  // The same process: the plugin was loaded again.
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
