import { readFileSync } from 'node:fs'
import { codeOf, toError, withCauses } from '../errors.ts'

/** Where a thread cannot start or a package cannot be read, only the message of Node's error has the reason. */
const NODE_CODES: ReadonlySet<unknown> = new Set(['ERR_WORKER_INIT_FAILED', 'ERR_INVALID_PACKAGE_CONFIG'])

/**
 * Whether a file or connection could not be opened because the process (`EMFILE`) or the machine (`ENFILE`) has no file
 * descriptor left. It is no bug and ends on its own, but as long as it lasts almost everything fails of it.
 */
export function isOutOfDescriptors(error: unknown): boolean {
  return withCauses(error).some((cause) => {
    const code = codeOf(cause)
    if (code === 'EMFILE' || code === 'ENFILE') return true
    const message = NODE_CODES.has(code) ? toError(cause).message : ''
    return /\b(EMFILE|ENFILE)\b|too many open files/.test(message)
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
