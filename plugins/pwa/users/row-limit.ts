/** Milliseconds for which a count is good: counting reads the whole table. */
const GOOD_FOR = 30_000

/** Keeps strangers from filling a table. */
export interface RowLimit {
  /** Whether one more row may come in; counts it. */
  hasRoom(): Promise<boolean>
}

/** @param count rows that there are */
export function createRowLimit(most: number, count: () => Promise<number>): RowLimit {
  let rows = 0
  let goodUntil = 0

  return {
    async hasRoom() {
      if (Date.now() >= goodUntil) {
        rows = await count()
        goodUntil = Date.now() + GOOD_FOR
      }
      return rows++ < most
    },
  }
}
