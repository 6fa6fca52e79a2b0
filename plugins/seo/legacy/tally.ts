/** Counts the results of a migration. */
export interface Tally {
  /** Values that were written, that were already identical, and that were skipped because another value is set. */
  written: number
  same: number
  kept: number
  /** Variables without an equivalent, replaced by their current text. */
  writtenOut: number
  /** Values that were not imported, with their number. */
  readonly notTaken: ReadonlyMap<string, number>
  miss(what: string): void
}

/** A tally as JSON. */
export interface TallyCounts extends Pick<Tally, 'written' | 'same' | 'kept' | 'writtenOut'> {
  readonly notTaken: readonly { readonly what: string; readonly times: number }[]
}

/** @param counted counts of previous ticks */
export function createTally(counted?: TallyCounts): Tally {
  const { written = 0, same = 0, kept = 0, writtenOut = 0 } = counted ?? {}
  const notTaken = new Map(counted?.notTaken.map(({ what, times }) => [what, times]))
  return {
    ...{ written, same, kept, writtenOut, notTaken },
    miss: (what) => void notTaken.set(what, (notTaken.get(what) ?? 0) + 1),
  }
}

export function countsOf({ written, same, kept, writtenOut, notTaken }: Tally): TallyCounts {
  return { written, same, kept, writtenOut, notTaken: Array.from(notTaken, ([what, times]) => ({ what, times })) }
}
