import type { Bucket } from './listeners.ts'
import type { Store } from './store.ts'

const NONE: readonly string[] = []

/** The owners of a family of hooks, valid until the next change to the store. */
interface FamilyOwners {
  readonly changes: number
  /** Owner lists of the hooks that have any. */
  readonly lists: readonly (readonly string[])[]
  readonly owners: readonly string[]
}

/**
 * Ids of the owners of the callbacks of a hook or a family of hooks (`render_block*`), without duplicates; empty for callbacks without an
 * owner. Returns the same array until callbacks are added or removed, so that it can serve as a cache key.
 */
export function createOwners(store: Store): (name: string) => readonly string[] {
  const cache = new WeakMap<readonly Bucket[], readonly string[]>()
  const families = new Map<string, FamilyOwners>()

  function ofHook(name: string): readonly string[] {
    const buckets = store.records.get(name)?.listeners?.buckets
    if (buckets === undefined) return NONE
    const owners = cache.get(buckets) ?? [
      ...new Set(buckets.flatMap(({ entries }) => entries.map(({ owner }) => owner?.id ?? ''))),
    ]
    cache.set(buckets, owners)
    return owners
  }

  function ofFamily(name: string): readonly string[] {
    const before = families.get(name)
    if (before?.changes === store.changes) return before.owners
    const start = name.slice(0, -1)
    const lists = [...store.records.values()]
      .filter((record) => record.listeners && record.name.startsWith(start))
      .map((record) => ofHook(record.name))
    const isSame = lists.length === before?.lists.length && lists.every((list, at) => list === before.lists[at])
    const owners = isSame ? before.owners : lists.length === 0 ? NONE : [...new Set(lists.flat())]
    families.set(name, { changes: store.changes, lists, owners })
    return owners
  }

  return (name) => (name.endsWith('*') ? ofFamily(name) : ofHook(name))
}
