import type { Owner } from '../owner.ts'
import type { Entry } from './entry.ts'
import type { Listeners } from './listeners.ts'
import { isProtectedFrom, type Selection } from './registration.ts'

/** Callbacks of one owner that another one removed. */
interface Removal {
  readonly hook: string
  readonly ownerId: string | undefined
  /** Absent: whatever their priority. */
  readonly priority: number | undefined
  /** Absent: whatever they are called. */
  readonly callback: string | undefined
}

/**
 * What one owner removed of others. It holds until the remover is unloaded, so that the removed callbacks do not come
 * back with another version of their owner; a function is new with each version, so here they are known by their names.
 */
export class Removals {
  readonly #remover: Owner
  readonly #removals = new Map<string, Removal>()

  constructor(remover: Owner) {
    this.#remover = remover
  }

  /** @param removed - The callbacks that the selection took. */
  note(hook: string, { priority, isEverything }: Selection, removed: readonly Entry[]): void {
    for (const { owner, callback } of removed) {
      if (owner === this.#remover) continue
      const removal = { hook, ownerId: owner?.id, priority, callback: isEverything ? undefined : callback.name }
      this.#removals.set(JSON.stringify(Object.values(removal)), removal)
    }
  }

  /** Removes again what a new version of an owner registered on one hook. */
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
