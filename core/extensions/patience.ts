/** So many throws within so many milliseconds pause an extension. */
export const PATIENCE = { throws: 5, within: 60_000 }

/** Counts what an extension throws. */
export interface Patience {
  /** Counts one throw. Returns whether it was once too often; the count then begins again. */
  isOver(): boolean
  /** Begins again, as for another version. */
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
