import { ApiError } from '../../api/error.ts'
import { change } from '../../api/rest.ts'
import { ITEMS, type MenuItemInfo } from './menu.ts'
import { type OutlineEntry, toPlaces } from './outline.ts'

/** As many as `batch/v1` takes. */
const AT_ONCE = 25

interface BatchAnswer {
  readonly responses: readonly { readonly status: number; readonly body: { code?: string; message?: string } }[]
}

/**
 * Stores parent and place of the entries that have others now. Those that move to the top go first, so that no step in
 * between makes a circle, which the routes refuse.
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
    .map(({ id, ...body }) => ({ method: 'POST', path: `/${ITEMS}/${id}`, body }))
  for (let at = 0; at < requests.length; at += AT_ONCE) {
    const { responses } = await change<BatchAnswer>('POST', 'batch/v1', { requests: requests.slice(at, at + AT_ONCE) })
    const refused = responses.find(({ status }) => status >= 400)
    if (refused) {
      const { code = 'no_answer', message = '' } = refused.body
      throw new ApiError(code, message, { status: refused.status })
    }
  }
}
