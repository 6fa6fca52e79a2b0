const MINUTE = 60
const HOUR = 60 * MINUTE
/** Seconds after each failed attempt, together 75 hours: the schedule that Standard Webhooks recommends. */
const RETRY_AFTER = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 23.4 * HOUR]
/** Retries are delayed by up to this share, so that the events of many sites do not arrive at the same time. */
const JITTER = 0.2
/** The longest time for which a receiver may postpone a retry, in ms. */
const MOST_POSTPONED = 24 * HOUR * 1000

/**
 * Milliseconds before the next attempt; `undefined` after the last one.
 *
 * @param failures number of failed attempts, at least 1
 * @param retryAfterMs what the receiver asked for
 * @param random 0 to 1
 */
export function retryDelay(failures: number, retryAfterMs = 0, random = Math.random()): number | undefined {
  const seconds = RETRY_AFTER[failures - 1]
  if (seconds === undefined) return undefined
  return Math.max(seconds * 1000 * (1 + JITTER * random), Math.min(retryAfterMs, MOST_POSTPONED))
}
