/** The process that works on a restore. */
import { hostname } from 'node:os'
import type { RestoreState } from './state.ts'

type Worker = NonNullable<RestoreState['worker']>

/** Time without a heartbeat after which another process may take over, in ms. */
const WORKER_LOST = 30_000

/** Describes this process, with a heartbeat. */
export function describeWorker(id: string): Worker {
  return { id, machine: hostname(), pid: process.pid, at: Date.now() }
}

/** Whether the process may still be working. */
export function isAlive({ machine, pid, at }: Worker): boolean {
  if (Date.now() - at > WORKER_LOST) return false
  if (machine !== hostname()) return true
  // The same process: the service was reloaded.
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
