import type { Undo } from '../../../core/hooks/types.ts'

/**
 * Registers routes for named registrations, such as post types. The returned function synchronizes them: it registers routes of new and
 * replaced items, and removes those of removed ones, synchronously, so that a reload of an extension leaves no gap.
 * @param register registers the routes of one item; `undefined` if it has none
 */
export function followRegistrations<Item extends { readonly name: string }>(
  current: () => ReadonlyMap<string, Item>,
  register: (item: Item) => Undo | undefined,
): () => void {
  const routed = new Map<string, { readonly item: Item; readonly withdraw: Undo | undefined }>()
  return () => {
    const items = current()
    for (const [name, { item, withdraw }] of routed) {
      if (items.get(name) === item) continue
      withdraw?.()
      routed.delete(name)
    }
    for (const [name, item] of items) if (!routed.has(name)) routed.set(name, { item, withdraw: register(item) })
  }
}
