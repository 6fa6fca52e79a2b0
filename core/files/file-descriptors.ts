import { readFileSync } from 'node:fs'
import { codeOf, toError, withCauses } from '../errors.ts'

/** If a thread cannot start or a package cannot be read, only the message of Node's error contains the reason. */
const NODE_CODES: ReadonlySet<unknown> = new Set(['ERR_WORKER_INIT_FAILED', 'ERR_INVALID_PACKAGE_CONFIG'])

/**
 * Whether a file or connection could not be opened because the process (`EMFILE`) or the system (`ENFILE`) has run out of file descriptors.
 * That is a temporary condition rather than a bug, but makes almost everything fail while it lasts.
 */
export function isOutOfDescriptors(error: unknown): boolean {
  return withCauses(error).some((cause) => {
    const code = codeOf(cause)
    if (code === 'EMFILE' || code === 'ENFILE') return true
    const message = NODE_CODES.has(code) ? toError(cause).message : ''
    return /\b(EMFILE|ENFILE)\b|too many open files/.test(message)
  })
}

/** Descriptors reserved for purposes other than connections: database, log, worker threads, modules loaded on demand. */
const RESERVED = 64
const FEWEST_CONNECTIONS = 16

/**
 * Maximum number of connections, so that they cannot exhaust the file descriptors: each needs one, and another one for a file being sent.
 * `undefined` if the limit of the system is unknown.
 */
export function connectionLimit(): number | undefined {
  const limit = /^Max open files\s+(\d+)/m.exec(processLimits())?.[1]
  return limit === undefined ? undefined : Math.max(FEWEST_CONNECTIONS, Math.floor((Number(limit) - RESERVED) / 2))
}

/** Reads the limit of the process on Linux (proc_pid_limits(5)). */
function processLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
