import type { Owner } from '../../core/owner.ts'
/** A value registered under a name for an owner; hidden until the owner's version goes live. */
export interface Registered<Value> {
  readonly owner: Owner
  readonly value: Value
  /** An error created at registration. */
  readonly added: Error
  live: boolean
}

/** A run in progress, and its owner: `job backup`. */
export interface Run {
  readonly owner: string
  readonly what: string
}

/** Values by name. Versions of one owner are layered: the latest live one applies. */
export interface Register<Value> {
  /** @throws Error if the name belongs to another owner, or to this very version. */
  add(name: string, entry: Registered<Value>): () => void
  get(name: string): Registered<Value> | undefined
  all(): IterableIterator<Registered<Value>>
}

/** @param noun - Noun for error messages: `job type`. */
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
