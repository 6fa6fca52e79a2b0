/** Limits how often something happens within a period. */
export interface Budget {
  /** Counts more, by default one. @throws Error with the message if that is too many */
  take(message: string, count?: number): void
}

/** @param period - In milliseconds, sliding. */
export function createBudget(most: number, period: number): Budget {
  let times: number[] = []
  return {
    take(message, count = 1) {
      const now = Date.now()
      times = times.filter((time) => now - time < period)
      if (times.length + count > most) throw new Error(message)
      for (let at = 0; at < count; at++) times.push(now)
    },
  }
}
