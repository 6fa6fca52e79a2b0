/** Failures in a row after which a push service is left alone. */
const TRIPS_AT = 3

/** Milliseconds that it is left alone at first; twice as long each time that it does not get better. */
const FIRST_PAUSE = 5000
const LONGEST_PAUSE = 300_000

/** Keeps calls away from a push service that is down or asked to be spared. */
export interface Breaker {
  /** Milliseconds since 1970 until which nothing is sent; in the past where all is well. */
  readonly until: number
  succeeded(): void
  /** It did not answer, or with an error of its own. */
  failed(now: number): void
  /** It said when it wants to be asked again. */
  pause(until: number): void
}

export function createBreaker(): Breaker {
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
      // What was on its way when it tripped belongs to the same trouble.
      if (failures < TRIPS_AT || now < until) return
      until = now + Math.min(FIRST_PAUSE * 2 ** (failures - TRIPS_AT), LONGEST_PAUSE)
    },
    pause(moment) {
      until = Math.max(until, moment)
    },
  }
}
