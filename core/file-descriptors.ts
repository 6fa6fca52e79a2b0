import { readFileSync } from 'node:fs'
import { codeOf, withCauses } from './errors.ts'

/**
 * Whether a file or connection could not be opened because the process (`EMFILE`) or the machine (`ENFILE`) has no file
 * descriptor left. It is no bug and ends on its own, but as long as it lasts almost everything fails of it.
 */
export function isOutOfDescriptors(error: unknown): boolean {
  return withCauses(error).some((cause) => {
    const code = codeOf(cause)
    return code === 'EMFILE' || code === 'ENFILE'
  })
}

/** Descriptors that are no connection's: database, log, worker threads, modules that are loaded when they are needed. */
const RESERVED = 64
const FEWEST_CONNECTIONS = 16

/**
 * How many connections may be open at once, so that they never take the last file descriptor: each needs one, and one
 * more for a file that it downloads. `undefined` where the system does not say how many there are.
 */
export function connectionLimit(): number | undefined {
  const limit = /^Max open files\s+(\d+)/m.exec(processLimits())?.[1]
  return limit === undefined ? undefined : Math.max(FEWEST_CONNECTIONS, Math.floor((Number(limit) - RESERVED) / 2))
}

/** Linux has them as a text (proc_pid_limits(5)). */
function processLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
