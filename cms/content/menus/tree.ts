import type { MenuEntry, ResolvedMenuItem } from './types.ts'

/** Deeper than any real menu. */
const DEPTH = 10

/**
 * Builds the tree of menu items, without items whose target is unavailable and everything below them. An item whose parent is not in the
 * menu is at the top level; cycles are removed.
 */
export function toTree(items: readonly ResolvedMenuItem[]): MenuEntry[] {
  const known = new Set(items.map(({ id }) => id))
  const below = (parentId: number, depth: number): MenuEntry[] =>
    depth > DEPTH
      ? []
      : items
          .filter((item) => (known.has(item.parentId) ? item.parentId : 0) === parentId)
          .filter(({ isValid, label }) => isValid && label !== '')
          .map((item) => ({ item, children: below(item.id, depth + 1) }))
  return below(0, 1)
}

/** IDs of the posts that entries link to, on all levels. */
export function targetsOf(entries: readonly MenuEntry[]): number[] {
  return entries.flatMap(({ item, children }) => [
    ...(leadsToPost(item) ? [item.objectId] : []),
    ...targetsOf(children),
  ])
}

/** Entries without those that link to a hidden post, and without their descendants. */
export function prune(entries: readonly MenuEntry[], isShown: (postId: number) => boolean): MenuEntry[] {
  return entries
    .filter(({ item }) => !leadsToPost(item) || isShown(item.objectId))
    .map(({ item, children }) => ({ item, children: prune(children, isShown) }))
}

const leadsToPost = ({ type, objectId }: ResolvedMenuItem) => type === 'post_type' && objectId > 0
