/**
 * Loads rows by id; ids that are requested in the same tick are loaded with one statement: a list checks each
 * of its items. Nothing is cached.
 *
 * @param ask - Answers the rows of these ids, in any order; an id without a row is left out.
 */
export function createBatchLoader<Row extends { readonly id: number }>(
  ask: (ids: readonly number[]) => Promise<readonly Row[]>,
): (id: number) => Promise<Row | undefined> {
  let open: { readonly ids: Set<number>; readonly rows: Promise<ReadonlyMap<number, Row>> } | undefined

  async function askTogether(ids: ReadonlySet<number>): Promise<ReadonlyMap<number, Row>> {
    // The next tick comes after every promise that can go on now has done so.
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
