import { RestError } from '../errors.ts'

/** Maximum number of queued password checks. */
const QUEUE_LIMIT = 100

/** @throws RestError 429 `rest_too_many_requests` if the queue of password checks is full */
export function checkSignInQueue(waiting: number): void {
  if (waiting < QUEUE_LIMIT) return
  const message = 'The server is busy. Please try to log in again in a moment.'
  throw new RestError('rest_too_many_requests', message, { status: 429 }, { 'Retry-After': '10' })
}
