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

export function createTally(): Tally {
  const notTaken = new Map<string, number>()
  return {
    written: 0,
    same: 0,
    kept: 0,
    writtenOut: 0,
    notTaken,
    miss: (what) => void notTaken.set(what, (notTaken.get(what) ?? 0) + 1),
  }
}
