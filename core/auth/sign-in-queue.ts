import { RestError } from '../errors.ts'

/** Who would have to wait for more than this many others is told to come back. */
const QUEUE_LIMIT = 100

/** @throws RestError 429 `rest_too_many_requests` when too many wait to have their password checked */
export function checkSignInQueue(waiting: number): void {
  if (waiting < QUEUE_LIMIT) return
  const message = 'The server is busy. Please try to log in again in a moment.'
  throw new RestError('rest_too_many_requests', message, { status: 429 }, { 'Retry-After': '10' })
}
