import { RestError } from '../../../core/errors.ts'
import { createSemaphore } from '../../../core/threads/semaphore.ts'

/** Maximum number of concurrent outgoing requests on behalf of users, and of queued ones. */
const AT_ONCE = 4
const MOST_WAITING = 50
/** Seconds. */
const RETRY_AFTER = '10'

/** @throws RestError (503) if the queue is full */
export type RequestLimit = <Result>(request: () => Promise<Result>) => Promise<Result>

/** Limits outgoing requests that users cause while editing, so that they cannot exhaust the connections of the site. */
export function createRequestLimit(): RequestLimit {
  return createSemaphore(AT_ONCE, (waiting) => {
    if (waiting < MOST_WAITING) return
    const message = 'Too many requests for remote URLs. Try again later.'
    throw new RestError('rest_too_many_requests', message, { status: 503 }, { 'Retry-After': RETRY_AFTER })
  })
}
