import { RestError } from '../errors.ts'

/** Who would have to wait for more than this many others is told to come back. */
const QUEUE_LIMIT = 100

/**
 * Runs a bounded number of tasks at a time, the others in order of arrival.
 * What it returns throws RestError 429 `rest_too_many_requests` when the queue is full.
 */
export function createTurns(atOnce: number): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (task) => {
    if (running < atOnce) {
      running++
    } else {
      if (waiting.length >= QUEUE_LIMIT) {
        const message = 'Too many people are signing in at this moment. Please try again shortly.'
        throw new RestError('rest_too_many_requests', message, { status: 429 }, { 'Retry-After': '10' })
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      return await task()
    } finally {
      // The turn is handed on, not given back, so that nobody slips in before the first in the queue.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
