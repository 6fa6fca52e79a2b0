/** Counts what becomes of what a plugin left. */
export interface Tally {
  /** Values that were written, that were here already, and that stayed as the owner has set them. */
  written: number
  same: number
  kept: number
  /** Variables that we have none for, and that became the text that they show now. */
  writtenOut: number
  /** What could not be taken over, and how often. */
  readonly notTaken: ReadonlyMap<string, number>
  miss(what: string): void
}

/** A tally as it can be kept. */
export interface TallyCounts extends Pick<Tally, 'written' | 'same' | 'kept' | 'writtenOut'> {
  readonly notTaken: readonly { readonly what: string; readonly times: number }[]
}

/** @param counted what was counted before */
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
