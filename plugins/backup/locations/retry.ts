/** Retries for all locations. */
import { setTimeout as sleep } from 'node:timers/promises'
import { RestError } from 'pentad'
import { connectionFailure, type Failure, isLocalError, LocationFailure, locationError } from './failure.ts'

/** Default maximum of consecutive attempts without progress. */
const MAX_ATTEMPTS = 6
const LONGEST_DELAY_MS = 30_000
/** Fallback for responses that do not follow the protocol. */
const UNREADABLE: Failure = { reason: 'The server sent an invalid response.', temporary: true }
/** Longest `Retry-After` that is honored, in ms. Beyond it the operation fails. */
const LONGEST_RETRY_AFTER_MS = 5 * 60_000

/** Wraps an error of the caller's own code or file: it is not an error of the location and is never retried. */
export class CallerError extends Error {
  constructor(cause: unknown) {
    super('The caller failed.', { cause })
  }
}

export interface RetryOptions {
  /** Prefix of error messages: `WebDAV`. */
  readonly title: string
  /** Delay before the first retry in ms; doubles with each attempt. */
  readonly firstDelayMs: number
  /** 1 for connection tests, which should fail immediately. */
  readonly maxAttempts?: number
  /** The meaning of a protocol error; `undefined` for other errors. */
  diagnose(error: unknown): Failure | undefined
}

/**
 * Runs the work until it succeeds, fails permanently, or exceeds the attempts.
 *
 * @param work - Calls `advanced` after each durable step, which resets the count of attempts.
 * @throws RestError with the reason; the signal's reason on abort; errors of the caller and of local files as they are.
 *   Library errors are never passed on, since they may contain the password.
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
      // Random jitter, so that sites that failed together do not retry together.
      const delay = Math.min(firstDelayMs * 2 ** (failures - 1), LONGEST_DELAY_MS) * (0.5 + Math.random() / 2)
      await pause(Math.max(delay, asked), signal)
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch {
    // `sleep` rejects with an `AbortError`; callers expect the signal's reason.
    signal.throwIfAborted()
  }
}
