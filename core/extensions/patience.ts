/** Number of errors, and the period in milliseconds, that pause an extension. */
export const PATIENCE = { throws: 5, within: 60_000 }

/** Counts the errors of an extension. */
export interface Patience {
  /** Counts one error. Returns whether the limit was reached, which resets the count. */
  isOver(): boolean
  /** Resets the count, as for another version. */
  reset(): void
}

export function createPatience(): Patience {
  let throws: number[] = []
  return {
    isOver() {
      const now = Date.now()
      throws = [...throws.filter((moment) => now - moment < PATIENCE.within), now]
      if (throws.length < PATIENCE.throws) return false
      throws = []
      return true
    },
    reset() {
      throws = []
    },
  }
}
