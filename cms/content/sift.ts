/** Items read per query. */
const BATCH = 100
/** Maximum number of items beyond the page that are checked for the total. */
const COUNTED = 1000
/** Maximum number of checked items: a list in which almost everything is hidden must not read the entire site. */
const MOST = 10_000

/** One page of a list, and how many there are without its limit. */
export interface Sifted<Item> {
  readonly items: Item[]
  readonly total: number
}

/**
 * A page of a list with a filter that the database cannot evaluate. Reads in batches until the page is full. The total counts the matching
 * items up to 1,000 beyond the page, and up to 10,000 checked items; so it excludes hidden items, and may grow from page to page.
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
