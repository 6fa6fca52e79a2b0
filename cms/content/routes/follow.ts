import type { Undo } from '../../../core/hooks/types.ts'

/**
 * Keeps the routes of what is registered by name. What it answers brings them up to date: those of what is new or
 * another under the same name are registered, those of what is gone are withdrawn. It all happens in one go, so that a
 * reload of an extension leaves no moment without routes.
 * @param register registers the routes of one; `undefined` for one without routes
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
