/** How many are read from the database at a time. */
const BATCH = 100
/** How many more than the page are looked at for the total. */
const COUNTED = 1000
/** Nothing beyond so many is looked at: a list that hides nearly everything must not read the whole site. */
const MOST = 10_000

/** One page of a list, and how many there are without its limit. */
export interface Sifted<Item> {
  readonly items: Item[]
  readonly total: number
}

/**
 * A page of a list of which some items are left out, as no database can tell which. Reads in batches until the page is
 * full. The total counts what is left of the items looked at, which go 1,000 beyond the page and end after 10,000: it
 * never counts what was left out, and grows from page to page where there is more.
 *
 * @param read - A part of the whole list, in its order.
 * @param pick - Those of the items that stay, in order.
 * @param page.counted - How many beyond the page are looked at in place of 1,000.
 * @param page.isCounted - `false` where nobody asks for the total: nothing beyond the page is looked at.
 */
export async function sift<Item>(
  read: (range: { limit: number; offset: number }) => Promise<readonly Item[]>,
  pick: (items: readonly Item[]) => Promise<readonly Item[]>,
  page: {
    readonly limit: number
    readonly offset: number
    readonly isCounted: boolean
    readonly counted?: number | undefined
  },
): Promise<Sifted<Item>> {
  const { counted = COUNTED } = page
  const end = page.offset + page.limit
  const items: Item[] = []
  let total = 0
  let beyond = 0
  for (let offset = 0; offset < MOST; offset += BATCH) {
    const batch = await read({ limit: BATCH, offset })
    const picked = await pick(batch)
    items.push(...picked.slice(Math.max(0, page.offset - total), Math.max(0, end - total)))
    total += picked.length
    if (batch.length < BATCH) break
    if (total >= end) {
      beyond += batch.length
      if (!page.isCounted || beyond > counted) break
    }
  }
  return { items, total: page.isCounted ? total : page.offset + items.length }
}
