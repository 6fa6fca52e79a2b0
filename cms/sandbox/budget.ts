/** Limits how often something happens within a period. */
export interface Budget {
  /** Counts one more. @throws Error with the message if that is too many */
  take(message: string): void
}

/** @param period - In milliseconds, sliding. */
export function createBudget(most: number, period: number): Budget {
  let times: number[] = []
  return {
    take(message) {
      const now = Date.now()
      times = times.filter((time) => now - time < period)
      if (times.length >= most) throw new Error(message)
      times.push(now)
    },
  }
}
