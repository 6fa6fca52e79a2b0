import type { Owner } from '../owner.ts'
import { type Current, createFrame } from './current.ts'
import { type Callback, call, type Entry } from './entry.ts'
import { Listeners } from './listeners.ts'
import type { ListenerStore, Selection } from './registration.ts'
import { Removals } from './removals.ts'
import type { Store } from './store.ts'

/** Maximum number of callbacks of one owner on a hook: more usually mean that each request adds one and never removes it. */
const MAX_CALLBACKS = 1_000

/** One operation of a staged view, to be replayed on the public listeners. */
type Step = (listeners: Listeners) => void

/**
 * The registrations of one view, and its removals of others' callbacks. While the view is staged, operations are recorded in a journal; `has…` and the results
 * of `remove…` come from a copy of the public listeners with the journal applied.
 */
export class Ownership implements ListenerStore {
  /** One per view, so that two versions of an extension with the same id are distinct. */
  readonly owner: Owner
  readonly #store: Store
  readonly #removals: Removals
  #state: 'staged' | 'public' | 'disposed'
  /** By hook. */
  readonly #journal = new Map<string, Step[]>()
  /** Its callbacks by hook. */
  readonly #callbacks = new Map<string, Set<Callback>>()

  constructor(store: Store, owner: Owner, staged: boolean) {
    this.#store = store
    this.owner = { ...owner }
    this.#removals = new Removals(this.owner)
    this.#state = staged ? 'staged' : 'public'
    if (!staged) store.removals.set(this.owner, this.#removals)
  }

  add(entry: Entry): void {
    this.assertNotDisposed(`register a callback on ${entry.name}`)
    this.#count(entry)
    if (this.#state === 'staged') {
      this.#stage(entry.name, (listeners) => listeners.add(entry))
      return
    }
    this.#store.add(entry)
    if (entry.closed) this.owner.onProtect?.(entry.name)
  }

  /** @throws RangeError if there are too many */
  #count({ name, callback }: Entry): void {
    const own = this.#callbacks.get(name) ?? new Set()
    if (!own.has(callback) && own.size === MAX_CALLBACKS) {
      throw new RangeError(
        `An extension can add at most ${MAX_CALLBACKS} callbacks to ${name}. Does it add one on every request?`,
      )
    }
    this.#callbacks.set(name, own.add(callback))
  }

  drop(entry: Entry): void {
    this.#callbacks.get(entry.name)?.delete(entry.callback)
    if (this.#state === 'public') this.#store.drop(entry)
    else this.#stage(entry.name, (listeners) => listeners.drop(entry))
  }

  remove(name: string, selection: Selection): boolean {
    if (this.#state === 'disposed') return false
    const apply = (listeners: Listeners) => listeners.remove(selection.isSelected, this.owner)
    const removed = this.#state === 'public' ? this.#store.change(name, apply) : apply(this.#preview(name))
    if (removed === undefined) return false
    for (const { callback } of removed.ran) this.#callbacks.get(name)?.delete(callback)
    if (this.#state === 'staged') this.#stage(name, apply)
    this.#removals.record(name, selection, [...removed.ran, ...removed.removedBefore])
    return removed.ran.length > 0
  }

  read<Result>(name: string, look: (listeners: Listeners) => Result): Result | undefined {
    const listeners = this.#state === 'staged' ? this.#preview(name) : this.#store.records.get(name)?.listeners
    return listeners && look(listeners)
  }

  /** Publishes the journal; at the same time, the callbacks of `outgoing` are removed and its removals undone. */
  commit(outgoing?: Ownership): void {
    this.assertNotDisposed('commit')
    for (const name of new Set([...this.#journal.keys(), ...(outgoing?.names() ?? [])])) {
      this.#store.replace(name, (listeners) => {
        if (outgoing !== undefined) listeners.restore((owner) => owner === outgoing.owner)
        this.#applyJournal(name, listeners)
        if (outgoing !== undefined) listeners.replaceOwner(outgoing.owner, this.owner)
        if (this.#journal.has(name))
          for (const removals of this.#store.removals.values()) removals.apply(name, listeners, this.owner)
      })
    }
    this.#journal.clear()
    this.#state = 'public'
    this.#store.removals.set(this.owner, this.#removals)
    outgoing?.dispose()
  }

  dispose(): void {
    for (const name of this.names()) {
      this.#store.replace(name, (listeners) => {
        listeners.restore((owner) => owner === this.owner)
        listeners.replaceOwner(this.owner)
      })
    }
    this.#store.removals.delete(this.owner)
    this.#journal.clear()
    this.#state = 'disposed'
  }

  /**
   * Dispatches an action to this view's own callbacks only, awaiting each. As in any dispatch, a callback added meanwhile at a later
   * priority is called.
   * @throws what a callback throws
   */
  async replay({ chain }: Current, name: string, args: readonly unknown[]): Promise<void> {
    const frame = createFrame(name, chain.getStore())
    const run = async () => {
      let bucket = this.#own(name).buckets[0]
      while (bucket !== undefined) {
        for (const { callback, acceptedArgs } of bucket.entries) await call(callback, args.slice(0, acceptedArgs))
        bucket = this.#own(name).after(bucket)
      }
    }
    try {
      await chain.run(frame, run)
    } finally {
      frame.ended = true
    }
  }

  /** This view's own callbacks of a hook, public or staged. */
  #own(name: string): Listeners {
    const own = new Listeners()
    for (const entry of this.#preview(name).entries()) if (entry.owner === this.owner) own.add(entry)
    return own
  }

  /** The hooks with callbacks or removals of this view. */
  names(): string[] {
    return [...this.#store.records.values()]
      .filter(({ listeners }) => listeners?.concerns(this.owner))
      .map(({ name }) => name)
  }

  #preview(name: string): Listeners {
    const listeners = new Listeners(this.#store.records.get(name)?.listeners)
    if (this.#state === 'staged') {
      // Callbacks removed by the previous version are active again for this one, as they will be after the swap.
      listeners.restore((owner) => owner.id === this.owner.id)
      this.#applyJournal(name, listeners)
    }
    return listeners
  }

  #applyJournal(name: string, listeners: Listeners): void {
    for (const step of this.#journal.get(name) ?? []) step(listeners)
  }

  #stage(name: string, step: Step): void {
    const steps = this.#journal.get(name) ?? []
    steps.push(step)
    this.#journal.set(name, steps)
  }

  /** @throws Error if the view was disposed of. */
  assertNotDisposed(what: string): void {
    if (this.#state === 'disposed')
      throw new Error(`Extension ${this.owner.id} was unloaded; it can no longer ${what}.`)
  }
}
