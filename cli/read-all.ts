/** Items read per query. */
const PAGE = 500

/**
 * Reads a list page by page to its end.
 *
 * @param most - How many are wanted at the most.
 */
export async function readAll<Item>(
  read: (page: { limit: number; offset: number }) => Promise<{ readonly items: readonly Item[] }>,
  most = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const found: Item[] = []
  while (found.length < most) {
    const limit = Math.min(PAGE, most - found.length)
    const { items } = await read({ limit, offset: found.length })
    found.push(...items)
    if (items.length < limit) break
  }
  return found
}
