/** A map that cannot be modified, even by untyped code, to be passed to extensions. */
export function readOnlyMap<Key, Value>(entries: Iterable<readonly [Key, Value]>): ReadonlyMap<Key, Value> {
  return readOnly(new Map(entries))
}

/** Like {@link readOnlyMap}. */
export function readOnlySet<Value>(values: Iterable<Value>): ReadonlySet<Value> {
  return readOnly(new Set(values))
}

function readOnly<Collection extends object>(collection: Collection): Collection {
  for (const name of ['set', 'add', 'delete', 'clear']) Object.defineProperty(collection, name, { value: rejectChange })
  return Object.freeze(collection)
}

function rejectChange(): never {
  throw new TypeError('This collection is read-only.')
}
