import { type Entry, Listeners } from './listeners.ts'
import type { Ledger } from './registration.ts'
import type { Store } from './store.ts'
import type { HookOwner } from './types.ts'

/** One thing a staged view did, to be done again on the public listeners. */
interface Step {
  readonly name: string
  readonly apply: (listeners: Listeners) => void
}

/**
 * What one view registered. While it is staged, its steps are kept in a journal; `has…` and the
 * answers of `remove…` come from a copy of the public listeners on which the journal was replayed.
 */
export class Ownership implements Ledger {
  /** One for each view, so that two generations of an extension with the same id stay apart. */
  readonly owner: HookOwner
  readonly #store: Store
  #state: 'staged' | 'public' | 'disposed'
  #journal: Step[] = []

  constructor(store: Store, owner: HookOwner, staged: boolean) {
    this.#store = store
    this.owner = {
      id: owner.id,
      signal: owner.signal,
      onError: (error, hook) => owner.onError(error, hook),
      onUndefined: (hook) => owner.onUndefined(hook),
    }
    this.#state = staged ? 'staged' : 'public'
  }

  add(entry: Entry): void {
    this.#refuseDisposed(`register a callback on ${entry.name}`)
    if (this.#state === 'public') this.#store.add(entry)
    else this.#journal.push({ name: entry.name, apply: (listeners) => listeners.add(entry) })
  }

  change<Result>(name: string, change: (listeners: Listeners) => Result): Result | undefined {
    if (this.#state === 'disposed') return undefined
    if (this.#state === 'public') return this.#store.change(name, change)
    const result = change(this.#preview(name))
    this.#journal.push({ name, apply: change })
    return result
  }

  look<Result>(name: string, look: (listeners: Listeners) => Result): Result | undefined {
    return look(this.#preview(name))
  }

  /** Makes the journal public at once; `outgoing` loses its callbacks in the same stroke. */
  commit(outgoing?: Ownership): void {
    this.#refuseDisposed('commit')
    const names = new Set(this.#journal.map(({ name }) => name))
    if (outgoing !== undefined) for (const name of outgoing.names()) names.add(name)
    for (const name of names) {
      this.#store.replace(name, (listeners) => {
        this.#replay(name, listeners)
        if (outgoing !== undefined) listeners.replaceOwner(outgoing.owner, this.owner)
      })
    }
    this.#journal = []
    this.#state = 'public'
    outgoing?.dispose()
  }

  dispose(): void {
    for (const name of this.names()) this.#store.replace(name, (listeners) => listeners.replaceOwner(this.owner))
    this.#journal = []
    this.#state = 'disposed'
  }

  /** This view's own callbacks of a hook, whether they are public or staged. */
  own(name: string): Listeners {
    const own = new Listeners()
    const entries = this.#preview(name).buckets.flatMap((bucket) => bucket.entries)
    for (const entry of entries) if (entry.owner === this.owner) own.add(entry)
    return own
  }

  names(): string[] {
    return [...this.#store.records.values()]
      .filter(({ listeners }) => listeners?.has(this.owner))
      .map(({ name }) => name)
  }

  #preview(name: string): Listeners {
    const listeners = new Listeners(this.#store.records.get(name)?.listeners?.buckets)
    this.#replay(name, listeners)
    return listeners
  }

  #replay(name: string, listeners: Listeners): void {
    for (const step of this.#journal) if (step.name === name) step.apply(listeners)
  }

  #refuseDisposed(what: string): void {
    if (this.#state === 'disposed')
      throw new Error(`Extension ${this.owner.id} was unloaded; it can no longer ${what}.`)
  }
}
