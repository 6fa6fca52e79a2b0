/** One rule for trying again, whatever the protocol. */
import { setTimeout as sleep } from 'node:timers/promises'
import { RestError } from 'pentad'
import { connectionFailure, type Failure, isLocalError, LocationFailure, locationError } from './failure.ts'

/** Tries in a row without any progress, where nothing else is asked for. */
const MAX_ATTEMPTS = 6
const LONGEST_DELAY_MS = 30_000
/** What nobody has a better word for: an answer that is no HTTP, or no SSH, or of another shape than the protocol's. */
const UNREADABLE: Failure = { reason: 'The server gives an answer that cannot be read.', temporary: true }
/** A server that wants to be left alone for longer than this is given up on for now. */
const LONGEST_RETRY_AFTER_MS = 5 * 60_000

/** Carries what the caller's own code or file threw through `withRetries`: it is no failure of the location and is never tried again. */
export class CallerError extends Error {
  constructor(cause: unknown) {
    super('The caller cannot go on.', { cause })
  }
}

export interface RetryOptions {
  /** Stands before the reason: `WebDAV`. */
  readonly title: string
  /** Pause before the second try; it doubles from try to try. */
  readonly firstDelayMs: number
  /** 1 where somebody waits to hear what is wrong. */
  readonly maxAttempts?: number
  /** What the error means, where it is the protocol's own; `undefined` leaves it to whoever knows. */
  diagnose(error: unknown): Failure | undefined
}

/**
 * Runs the work until it succeeds, it fails for good, or too many tries in a row (six) came to nothing.
 *
 * @param work - Calls `advanced` whenever something has arrived for good; then the count of tries starts again.
 * @throws RestError with the reason; the signal's reason on abort; what the caller's own code or the files of this machine
 * throw, as it is. An error of a library never gets out: it may hold the password.
 */
export async function withRetries<Result>(
  { title, firstDelayMs, maxAttempts = MAX_ATTEMPTS, diagnose }: RetryOptions,
  signal: AbortSignal,
  work: (advanced: () => void) => Promise<Result>,
): Promise<Result> {
  let failures = 0
  const advanced = () => {
    failures = 0
  }
  for (;;) {
    signal.throwIfAborted()
    try {
      return await work(advanced)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof CallerError) throw error.cause
      if (error instanceof RestError) throw error
      const known = error instanceof LocationFailure ? error.failure : (diagnose(error) ?? connectionFailure(error))
      if (!known && isLocalError(error)) throw error
      const failure = known ?? UNREADABLE
      failures += 1
      const asked = failure.retryAfterMs ?? 0
      if (!failure.temporary || failures >= maxAttempts || asked > LONGEST_RETRY_AFTER_MS) {
        throw locationError(title, failure)
      }
      // A random share keeps sites that were cut off together from coming back together.
      const delay = Math.min(firstDelayMs * 2 ** (failures - 1), LONGEST_DELAY_MS) * (0.5 + Math.random() / 2)
      await pause(Math.max(delay, asked), signal)
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch {
    // `sleep` rejects with an error of its own; callers compare with the signal's reason.
    signal.throwIfAborted()
  }
}
