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

/** Maximum number of open files of the process on Linux (proc_pid_limits(5)); `undefined` if it is unknown. */
export function descriptorLimit(): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}

/** Maximum number of connections, so that they cannot exhaust the file descriptors: each needs one, and another one for a file being sent. */
export function connectionLimit(): number | undefined {
  const limit = descriptorLimit()
  return limit === undefined ? undefined : Math.max(FEWEST_CONNECTIONS, Math.floor((limit - RESERVED) / 2))
}
