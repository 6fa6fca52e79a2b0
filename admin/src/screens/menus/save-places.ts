import { type BatchRequest, batch } from '../../api/batch.ts'
import { ITEMS, type MenuItemInfo } from './menu.ts'
import { type OutlineEntry, toPlaces } from './outline.ts'

/**
 * Stores the changed parents and positions. Items that move to the top level are saved first, so that no intermediate state
 * has a loop, which the routes reject.
 */
export async function savePlaces(items: readonly MenuItemInfo[], wanted: readonly OutlineEntry[]): Promise<void> {
  const before = new Map(items.map((item) => [item.id, item]))
  const changed = toPlaces(wanted).filter(({ id, parent, menu_order: order }) => {
    const item = before.get(id)
    return item?.parent !== parent || item.menu_order !== order
  })
  const depth = new Map(wanted.map((entry) => [entry.id, entry.depth]))
  const requests = changed
    .toSorted((one, other) => (depth.get(one.id) ?? 0) - (depth.get(other.id) ?? 0))
    .map(({ id, ...body }): BatchRequest => ({ method: 'POST', path: `${ITEMS}/${id}`, body }))
  const refused = (await batch(requests)).find(({ error }) => error)
  if (refused) throw refused.error
}
