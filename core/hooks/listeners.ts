import {
  actionOf,
  type CompiledAction,
  type CompiledFilter,
  compileAction,
  compileFilter,
  filterOf,
} from './compile.ts'
import { measured, type Weight, weightOf } from './time.ts'
import type { HookOwner } from './types.ts'

/** A callback once it is registered; what it takes and returns is the caller's word, kept by the types of `Hooks`. */
export type Callback = (...args: unknown[]) => unknown

/** Whether a value can be called; an author in plain JavaScript may register anything. */
export function isCallback(value: unknown): value is Callback {
  return typeof value === 'function'
}

/** One registration. Adding the same callback again at its priority makes a new one in its place. */
export interface Entry {
  readonly name: string
  readonly callback: Callback
  readonly priority: number
  /** `Infinity`: all arguments. */
  readonly acceptedArgs: number
  /** Absent on the bare registry, where errors propagate. */
  readonly owner: HookOwner | undefined
  /** What its calls took, as far as they were measured: see `time.ts`. */
  readonly spent: { milliseconds: number }
}

/**
 * The callbacks of one hook at one priority: a list that never changes, and what was compiled from
 * it, by the number of arguments of a dispatch. A change of listeners makes a new bucket, since tapable has no untap.
 */
export class Bucket {
  readonly priority: number
  readonly entries: readonly Entry[]
  runs = 0
  readonly #filters: CompiledFilter[] = []
  readonly #actions: CompiledAction[] = []
  readonly #earlierCalls: ReadonlyMap<Entry, number>

  /** @param before The bucket that this one replaces; its callbacks keep their counts. */
  constructor(priority: number, entries: readonly Entry[], before: Bucket | undefined) {
    this.priority = priority
    this.entries = entries
    this.#earlierCalls = new Map(entries.map((entry) => [entry, before?.callsOf(entry) ?? 0]))
  }

  /** Runs a filter's value through the callbacks. */
  applyFilters(value: unknown, rest: readonly unknown[]): unknown {
    const weight = this.begin()
    if (weight !== 0) return this.#applyTimed(weight, value, rest)
    const compiled = this.#filter(rest.length + 1)
    // Written out for the usual numbers of arguments: spreading them takes longer than a call.
    if (rest.length === 0) return compiled.call(value)
    if (rest.length === 1) return compiled.call(value, rest[0])
    if (rest.length === 2) return compiled.call(value, rest[0], rest[1])
    return compiled.call(value, ...rest)
  }

  doAction(args: readonly unknown[]): void {
    const weight = this.begin()
    if (weight !== 0) {
      this.#doTimed(weight, args)
      return
    }
    const compiled = this.#action(args.length)
    if (args.length === 0) compiled.call()
    else if (args.length === 1) compiled.call(args[0])
    else if (args.length === 2) compiled.call(args[0], args[1])
    else compiled.call(...args)
  }

  /** Counts a run. */
  begin(): Weight {
    return weightOf(++this.runs)
  }

  callsOf(entry: Entry): number {
    const earlier = this.#earlierCalls.get(entry)
    return earlier === undefined ? 0 : earlier + this.runs
  }

  #filter(arity: number): CompiledFilter {
    this.#filters[arity] ??= compileFilter(this.entries, arity)
    return this.#filters[arity]
  }

  #action(arity: number): CompiledAction {
    this.#actions[arity] ??= compileAction(this.entries, arity)
    return this.#actions[arity]
  }

  // Not by compiled lines: the engine makes these fast as long as they call the same functions only.
  #applyTimed(weight: Weight, value: unknown, rest: readonly unknown[]): unknown {
    let current = value
    for (const entry of this.entries) {
      const result = measured(entry, filterOf(entry, rest.length + 1), weight)(current, ...rest)
      if (result !== undefined) current = result
    }
    return current
  }

  #doTimed(weight: Weight, args: readonly unknown[]): void {
    for (const entry of this.entries) measured(entry, actionOf(entry, args.length), weight)(...args)
  }
}

/**
 * The callbacks of one hook, by priority. A dispatch holds on to this object: `add` and the
 * `remove…` functions are seen by dispatches under way, at priorities they have not reached yet
 * (as in WordPress); a copy changed and put in its place is not.
 */
export class Listeners {
  /** Sorted by priority; none of them empty; replaced, never edited. */
  buckets: readonly Bucket[]

  constructor(buckets: readonly Bucket[] = []) {
    this.buckets = buckets
  }

  /** The bucket that runs after that priority, whatever was added or removed meanwhile. */
  after(priority: number): Bucket | undefined {
    for (const bucket of this.buckets) if (bucket.priority > priority) return bucket
    return undefined
  }

  add(entry: Entry): void {
    const entries = this.#at(entry.priority)
    const place = entries.findIndex((other) => other.callback === entry.callback && other.owner === entry.owner)
    this.#set(entry.priority, place === -1 ? [...entries, entry] : entries.with(place, entry))
  }

  /** Removes exactly this registration; harmless if it is gone. */
  removeEntry(entry: Entry): void {
    const entries = this.#at(entry.priority)
    if (entries.includes(entry)) {
      this.#set(
        entry.priority,
        entries.filter((other) => other !== entry),
      )
    }
  }

  /**
   * Removes a callback by reference: the owner's own registration of it if there is one, else whoever's.
   * @returns whether it was there.
   */
  remove(callback: unknown, priority: number, owner: HookOwner | undefined): boolean {
    const entries = this.#at(priority)
    const matching = entries.filter((entry) => entry.callback === callback)
    const own = matching.filter((entry) => entry.owner === owner)
    const leaving = own.length > 0 ? own : matching
    if (leaving.length === 0) return false
    this.#set(
      priority,
      entries.filter((entry) => !leaving.includes(entry)),
    )
    return true
  }

  removeAll(priority?: number): void {
    if (priority === undefined) this.buckets = []
    else if (this.#at(priority).length > 0) this.#set(priority, [])
  }

  /** The lowest priority of the callback, or `false`. */
  priorityOf(callback: unknown): number | false {
    const bucket = this.buckets.find(({ entries }) => entries.some((entry) => entry.callback === callback))
    return bucket === undefined ? false : bucket.priority
  }

  has(owner: HookOwner): boolean {
    return this.buckets.some(({ entries }) => entries.some((entry) => entry.owner === owner))
  }

  /** Takes one owner's callbacks out; another's take their places at each priority where both have some. */
  replaceOwner(outgoing: HookOwner, incoming?: HookOwner): void {
    for (const { priority, entries } of this.buckets) {
      const place = entries.findIndex((entry) => entry.owner === outgoing)
      if (place === -1) continue
      const stays = (entry: Entry) => entry.owner !== outgoing && (incoming === undefined || entry.owner !== incoming)
      this.#set(priority, [
        ...entries.slice(0, place).filter(stays),
        ...entries.filter((entry) => incoming !== undefined && entry.owner === incoming),
        ...entries.slice(place).filter(stays),
      ])
    }
  }

  #at(priority: number): readonly Entry[] {
    return this.buckets.find((bucket) => bucket.priority === priority)?.entries ?? []
  }

  #set(priority: number, entries: readonly Entry[]): void {
    const old = this.buckets.find((bucket) => bucket.priority === priority)
    const others = this.buckets.filter((bucket) => bucket !== old)
    if (entries.length === 0) {
      this.buckets = others
      return
    }
    const place = others.findIndex((bucket) => bucket.priority > priority)
    this.buckets = others.toSpliced(place === -1 ? others.length : place, 0, new Bucket(priority, entries, old))
  }
}
