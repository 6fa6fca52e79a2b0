import type { Owner } from '../owner.ts'
import type { Entry } from './entry.ts'
import type { Listeners } from './listeners.ts'
import { isProtectedFrom, type Selection } from './registration.ts'

/** Callbacks of one owner that another owner removed. */
interface Removal {
  readonly hook: string
  readonly ownerId: string | undefined
  /** Absent for any priority. */
  readonly priority: number | undefined
  /** Absent for any name. */
  readonly callback: string | undefined
}

/**
 * Callbacks that one owner removed from other owners. They remain removed until that owner is unloaded, even when their own owners are
 * reloaded; they are identified by name, because a reload creates new functions.
 */
export class Removals {
  readonly #remover: Owner
  readonly #removals = new Map<string, Removal>()

  constructor(remover: Owner) {
    this.#remover = remover
  }

  /** @param removed - The selected callbacks. */
  record(hook: string, { priority, isEverything }: Selection, removed: readonly Entry[]): void {
    for (const { owner, callback } of removed) {
      if (owner === this.#remover) continue
      const removal = { hook, ownerId: owner?.id, priority, callback: isEverything ? undefined : callback.name }
      this.#removals.set(JSON.stringify(Object.values(removal)), removal)
    }
  }

  /** Repeats the removals on one hook for a new version of an owner. */
  apply(hook: string, listeners: Listeners, owner: Owner): void {
    if (owner.id === this.#remover.id) return
    for (const removal of this.#removals.values()) {
      if (removal.hook !== hook || removal.ownerId !== owner.id) continue
      const { priority, callback } = removal
      const isWanted = (entry: Entry) =>
        entry.owner === owner &&
        (priority === undefined || entry.priority === priority) &&
        (callback === undefined ? !isProtectedFrom(this.#remover, entry) : entry.callback.name === callback)
      listeners.remove(isWanted, this.#remover)
    }
  }
}
