/** Consecutive failures that open the circuit. */
const TRIPS_AT = 3

/** First pause in milliseconds; doubles with each further failure. */
const FIRST_PAUSE = 5000
const LONGEST_PAUSE = 300_000

/** Circuit breaker for a push service that is down or rate-limits us. */
export interface CircuitBreaker {
  /** Nothing is sent until then, in milliseconds since 1970. In the past if the circuit is closed. */
  readonly until: number
  succeeded(): void
  /** It did not respond, or with a server error. */
  failed(now: number): void
  /** It sent `Retry-After`. */
  pause(until: number): void
}

export function createCircuitBreaker(): CircuitBreaker {
  let failures = 0
  let until = 0

  return {
    get until() {
      return until
    },
    succeeded() {
      failures = 0
    },
    failed(now) {
      failures++
      // Requests in flight when the circuit opened count as the same failure.
      if (failures < TRIPS_AT || now < until) return
      until = now + Math.min(FIRST_PAUSE * 2 ** (failures - TRIPS_AT), LONGEST_PAUSE)
    },
    pause(moment) {
      until = Math.max(until, moment)
    },
  }
}
