/**
 * Loads rows by id. Ids requested in the same tick are loaded with one statement, because lists check each of their items. Nothing is
 * cached.
 * @param ask - Resolves to the rows of these ids, in any order, without those that do not exist.
 */
export function createBatchLoader<Row extends { readonly id: number }>(
  ask: (ids: readonly number[]) => Promise<readonly Row[]>,
): (id: number) => Promise<Row | undefined> {
  let open: { readonly ids: Set<number>; readonly rows: Promise<ReadonlyMap<number, Row>> } | undefined

  async function askTogether(ids: ReadonlySet<number>): Promise<ReadonlyMap<number, Row>> {
    // `nextTick` runs after all promise callbacks that are already queued.
    await new Promise<void>((resolve) => process.nextTick(resolve))
    open = undefined
    const rows = await ask([...ids])
    return new Map(rows.map((row) => [row.id, row]))
  }

  return async (id) => {
    if (!open) {
      const ids = new Set<number>()
      open = { ids, rows: askTogether(ids) }
    }
    open.ids.add(id)
    return (await open.rows).get(id)
  }
}
