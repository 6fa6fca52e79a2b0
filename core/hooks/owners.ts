import type { Bucket } from './listeners.ts'
import type { Store } from './store.ts'

const NOBODY: readonly string[] = []

/**
 * Ids of the owners of a hook's callbacks, each once; empty for those without an owner. The same array until a callback
 * comes or goes, so that whoever keeps what callbacks made learns when it is out of date.
 */
export function createOwners(store: Store): (name: string) => readonly string[] {
  const known = new WeakMap<readonly Bucket[], readonly string[]>()
  return (name) => {
    const buckets = store.records.get(name)?.listeners?.buckets
    if (buckets === undefined) return NOBODY
    const owners = known.get(buckets) ?? [
      ...new Set(buckets.flatMap(({ entries }) => entries.map(({ owner }) => owner?.id ?? ''))),
    ]
    known.set(buckets, owners)
    return owners
  }
}
