import { RestError } from '../../../core/errors.ts'
import { createTurns } from '../../../core/threads/turns.ts'

/** Requests to other sites at a time for users who wait for them, and how many more may wait. */
const AT_ONCE = 4
const MOST_WAITING = 50
/** Seconds. */
const RETRY_AFTER = '10'

/** @throws RestError (503) where too many wait already */
export type RequestLimit = <Result>(request: () => Promise<Result>) => Promise<Result>

/** So that users who edit posts cannot make the site send more requests to others than it has for itself. */
export function createRequestLimit(): RequestLimit {
  return createTurns(AT_ONCE, (waiting) => {
    if (waiting < MOST_WAITING) return
    const message = 'Too many requests for remote URLs. Try again later.'
    throw new RestError('rest_too_many_requests', message, { status: 503 }, { 'Retry-After': RETRY_AFTER })
  })
}
