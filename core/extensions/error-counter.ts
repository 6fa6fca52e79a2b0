/** This many errors within this many milliseconds pause an extension. */
export const ERROR_LIMIT = { count: 5, within: 60_000 }

/** Counts the errors of an extension. */
export interface ErrorCounter {
  /** Counts one error. Returns whether the limit was reached, which resets the count. */
  add(): boolean
  /** Resets the count, for a new version. */
  reset(): void
}

export function createErrorCounter(): ErrorCounter {
  let errors: number[] = []
  return {
    add() {
      const now = Date.now()
      errors = [...errors.filter((moment) => now - moment < ERROR_LIMIT.within), now]
      if (errors.length < ERROR_LIMIT.count) return false
      errors = []
      return true
    },
    reset() {
      errors = []
    },
  }
}
