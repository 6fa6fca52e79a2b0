import type { Owner } from '../../core/owner.ts'
/** One thing under a name, kept for its owner; hidden until the owner's version goes live. */
export interface Registered<Value> {
  readonly owner: Owner
  readonly value: Value
  /** Made where it was registered. */
  readonly added: Error
  live: boolean
}

/** What runs now, and whose it is: `job backup`. */
export interface Run {
  readonly owner: string
  readonly what: string
}

/** Values by name, where versions of one owner lie above one another and the latest live one counts. */
export interface Register<Value> {
  /** @throws Error if the name belongs to another owner, or to this very version. */
  add(name: string, entry: Registered<Value>): () => void
  get(name: string): Registered<Value> | undefined
  all(): IterableIterator<Registered<Value>>
}

/** @param noun - What a refusal calls the thing: `job type`. */
export function createRegister<Value>(noun: string): Register<Value> {
  const entries = new Map<string, readonly Registered<Value>[]>()
  const top = (versions: readonly Registered<Value>[] | undefined) => versions?.findLast((entry) => entry.live)
  return {
    add(name, entry) {
      const versions = entries.get(name) ?? []
      const holder = versions.find(({ owner }) => owner.id !== entry.owner.id || owner === entry.owner)
      if (holder) throw new Error(`The ${noun} "${name}" is already taken by ${holder.owner.id}.`)
      entries.set(name, [...versions, entry])
      return () => {
        const left = entries.get(name)?.filter((other) => other !== entry) ?? []
        if (left.length > 0) entries.set(name, left)
        else entries.delete(name)
      }
    },
    get: (name) => top(entries.get(name)),
    *all() {
      for (const versions of entries.values()) {
        const entry = top(versions)
        if (entry) yield entry
      }
    },
  }
}
