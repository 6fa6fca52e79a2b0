/** Milliseconds for which a count is cached, since counting reads the whole table. */
const CACHED_FOR = 30_000

/** Limits the rows of a table that visitors can add to. */
export interface RowLimit {
  /** Whether another row may be added; counts it. */
  hasRoom(): Promise<boolean>
}

/** @param count counts the rows */
export function createRowLimit(most: number, count: () => Promise<number>): RowLimit {
  let rows = 0
  let validUntil = 0

  return {
    async hasRoom() {
      if (Date.now() >= validUntil) {
        rows = await count()
        validUntil = Date.now() + CACHED_FOR
      }
      return rows++ < most
    },
  }
}
