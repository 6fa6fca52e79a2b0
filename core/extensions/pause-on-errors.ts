import { toError } from '../errors.ts'
import { CallbackTimeout, HookRecursion } from '../hooks/errors.ts'
import { CallTimeout, causedByOtherCode } from '../http/time-limit.ts'
import { serverProblem } from '../http/unexpected-error.ts'
import type { Logger } from '../log.ts'
import { describeError, type Version, type VersionParts } from './version.ts'

/** This many errors within this many milliseconds pause an extension. */
export const ERROR_LIMIT = { count: 5, within: 60_000 }

/** Logs the errors of an extension, and pauses it if there are too many or if one is a recursion. */
export function createPauseOnErrors(parts: {
  readonly id: string
  readonly isService: boolean
  readonly locate: VersionParts['locate']
  readonly log: Logger
  readonly running: () => Version | undefined
  readonly pause: (why: string) => void
}) {
  const { id, isService, locate, log, running, pause } = parts
  let errors: number[] = []
  let total = 0
  let pausing: Version | undefined
  function pauseOnce(why: string): void {
    pausing = running()
    pause(why)
  }
  return {
    /** @param from - The version that failed; errors of another version than the running one, and a full disk and the like, do not count. */
    note(from: Version | undefined, thrown: unknown, where: string, requestId?: string) {
      total++
      // Thousands of errors, each logged with its stack, would delay all requests. Those of requests can be looked up by their IDs.
      if (from !== undefined && from === pausing && requestId === undefined) return
      const error = toError(thrown)
      const location = locate(error)
      log.error({ err: error, extension: id, where, requestId }, 'extension error ignored')
      if (!from || from !== running() || causedByOtherCode.has(error)) return
      // A path that is not writable may be a mistake of the extension.
      if (![undefined, 'not writable'].includes(serverProblem(error))) return
      if (error instanceof HookRecursion) {
        pauseOnce(describeError(error, location))
        return
      }
      // A slow service indicates a slow machine, and pausing the page cache would make the site even slower.
      const isSlow = error instanceof CallbackTimeout || error instanceof CallTimeout
      if (isSlow && isService) return
      const now = Date.now()
      errors = [...errors.filter((moment) => now - moment < ERROR_LIMIT.within), now]
      if (errors.length < ERROR_LIMIT.count) return
      errors = []
      const last = `${where}: ${describeError(error, location)}`
      pauseOnce(`It failed ${ERROR_LIMIT.count} times within a minute, most recently in ${last}`)
    },
    /** Resets what counts toward a pause, for a new version. */
    reset: () => void errors.splice(0),
    /** Errors since the host started, including those that do not count toward a pause. */
    get total() {
      return total
    },
    /** Whether the running version is about to be paused. */
    get isPausing() {
      return pausing !== undefined && pausing === running()
    },
  }
}
