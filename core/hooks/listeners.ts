import type { Owner } from '../owner.ts'
import { type CompiledAsyncBucket, type CompiledBucket, compileAction, compileAsync, compileFilter } from './compile.ts'
import { call, type Entry, type PriorityOf } from './entry.ts'
import type { CheckedHook } from './guard.ts'
import { callActions, callFilters, guardActions, guardFilters } from './guard.ts'
import { type Weight, weightOf } from './sampling.ts'
import type { ValidType } from './shapes.ts'

/**
 * The callbacks of one hook at one priority: an immutable list with its compiled code, by number of arguments and type of value. Every
 * change creates a new bucket.
 */
export class Bucket {
  readonly priority: number
  readonly entries: readonly Entry[]
  runs = 0
  readonly #filters: Readonly<Record<ValidType, CompiledBucket[]>> = emptyCode()
  /** The code that ran last, and usually runs next too. */
  #filter: CompiledBucket | undefined
  #arity = 0
  #validType: ValidType = ''
  readonly #actions: CompiledBucket[] = []
  readonly #asyncFilters: Readonly<Record<ValidType, CompiledAsyncBucket[]>> = emptyCode()
  readonly #asyncActions: CompiledAsyncBucket[] = []
  readonly #earlierCalls: ReadonlyMap<Entry, number>

  /** @param before The buckets that this one and others replace; its callbacks keep their counts. */
  constructor(priority: number, entries: readonly Entry[], before: readonly Bucket[]) {
    this.priority = priority
    this.entries = entries
    const earlier = (entry: Entry) => before.reduce((calls, bucket) => calls + bucket.callsOf(entry), 0)
    this.#earlierCalls = new Map(entries.map((entry) => [entry, earlier(entry)]))
  }

  /** Passes a filter's value through the callbacks. */
  applyFilters(record: CheckedHook, validType: ValidType, value: unknown, rest: readonly unknown[]): unknown {
    const weight = this.begin()
    // Not compiled: V8 optimizes the loop as long as it calls the same functions.
    if (weight !== 0) return callFilters(this.entries, record, validType, [value, ...rest], weight)
    const arity = rest.length + 1
    const isKnown = arity === this.#arity && validType === this.#validType
    const compiled = isKnown && this.#filter ? this.#filter : this.#choose(record, validType, arity)
    // Written out for common numbers of arguments: spreading takes longer than a call.
    if (rest.length === 0) return compiled(value)
    if (rest.length === 1) return compiled(value, rest[0])
    if (rest.length === 2) return compiled(value, rest[0], rest[1])
    return compiled(value, ...rest)
  }

  doAction(record: CheckedHook, args: readonly unknown[]): void {
    const weight = this.begin()
    if (weight !== 0) callActions(this.entries, record, args, weight)
    else call(this.#action(args.length, record), args)
  }

  /** Counts a run. */
  begin(): Weight {
    return weightOf(++this.runs)
  }

  callsOf(entry: Entry): number {
    const earlier = this.#earlierCalls.get(entry)
    return earlier === undefined ? 0 : earlier + this.runs
  }

  #choose(record: CheckedHook, validType: ValidType, arity: number): CompiledBucket {
    const compiled = this.#filters[validType]
    compiled[arity] ??= compileFilter(guardFilters(this.entries, record, validType), this.entries, arity, validType)
    this.#arity = arity
    this.#validType = validType
    this.#filter = compiled[arity]
    return this.#filter
  }

  /** The compiled code for async dispatches. */
  compiledAsync(isFilter: boolean, validType: ValidType, arity: number): CompiledAsyncBucket {
    const compiled = isFilter ? this.#asyncFilters[validType] : this.#asyncActions
    compiled[arity] ??= compileAsync(this.entries, isFilter, validType, arity)
    return compiled[arity]
  }

  #action(arity: number, record: CheckedHook): CompiledBucket {
    this.#actions[arity] ??= compileAction(guardActions(this.entries, record), this.entries, arity)
    return this.#actions[arity]
  }
}

function emptyCode<Code>(): Record<ValidType, Code[]> {
  return { string: [], number: [], boolean: [], '': [] }
}

/** One registration in its position, and the owners that removed it: it is restored when the last of these is unloaded. */
interface Slot {
  readonly entry: Entry
  readonly removers: readonly Owner[]
}

/**
 * The callbacks of one hook by priority. Dispatches hold on to this object: dispatches in progress see `add` and the `remove…` functions at
 * priorities not reached yet (as in WordPress), but not a changed copy that replaces it.
 */
export class Listeners {
  /** Active buckets, sorted by priority and never empty; replaced, never mutated. */
  buckets: readonly Bucket[]
  /** In the order of registration at each priority, including those removed by another owner. */
  #slots: readonly Slot[]
  readonly #priorityOf: PriorityOf

  constructor(original?: Listeners, priorityOf: PriorityOf = ({ priority }) => priority) {
    this.buckets = original?.buckets ?? []
    this.#slots = original === undefined ? [] : original.#slots
    this.#priorityOf = priorityOf
  }

  /** Whether nothing is registered, including temporarily removed callbacks. */
  get isEmpty(): boolean {
    return this.#slots.length === 0
  }

  /** The bucket that runs next, considering all changes since. */
  after({ priority }: Bucket): Bucket | undefined {
    const { buckets } = this
    for (let index = 0; index < buckets.length; index++) {
      const bucket = buckets[index]
      if (bucket !== undefined && bucket.priority > priority) return bucket
    }
    return undefined
  }

  add(entry: Entry): void {
    const isSame = ({ entry: { callback, owner, priority } }: Slot) =>
      callback === entry.callback && owner === entry.owner && priority === entry.priority
    const slots = this.#slots.filter((slot) => isVisible(slot) || !isSame(slot))
    const index = slots.findIndex(isSame)
    const slot: Slot = { entry, removers: [] }
    this.#arrange(index === -1 ? [...slots, slot] : slots.with(index, slot))
  }

  /** Removes exactly this registration, if it exists. */
  drop(entry: Entry): void {
    this.#arrange(this.#slots.filter((slot) => slot.entry !== entry))
  }

  /**
   * Removes callbacks on behalf of an owner: its own permanently, those of others until `restore`. The bare registry removes permanently.
   * @returns the callbacks that were active, and those that another owner had already removed.
   */
  remove(isSelected: (entry: Entry) => boolean, remover: Owner | undefined): { ran: Entry[]; removedBefore: Entry[] } {
    const isWanted = ({ entry, removers }: Slot) => isSelected(entry) && !removers.some((one) => one === remover)
    const removed = new Set(this.#slots.filter(isWanted))
    const { ran = [], removedBefore = [] } = Object.groupBy(removed, (slot) =>
      isVisible(slot) ? 'ran' : 'removedBefore',
    )
    this.#arrange(
      this.#slots.flatMap((slot) => {
        if (!removed.has(slot)) return [slot]
        if (remover === undefined || remover === slot.entry.owner) return []
        return [{ entry: slot.entry, removers: [...slot.removers, remover] }]
      }),
    )
    return { ran: ran.map(({ entry }) => entry), removedBefore: removedBefore.map(({ entry }) => entry) }
  }

  /** Undoes these owners' removals: callbacks that no other owner removed become active again in their old positions. */
  restore(isRemover: (owner: Owner) => boolean): void {
    this.#arrange(
      this.#slots.map(({ entry, removers }) => ({ entry, removers: removers.filter((owner) => !isRemover(owner)) })),
    )
  }

  /** Active callbacks, in order. */
  entries(): Entry[] {
    return this.buckets.flatMap((bucket) => bucket.entries)
  }

  /** The lowest priority of a matching callback, or `false`. */
  priorityOf(isSelected: (entry: Entry) => boolean): number | false {
    return this.entries().find(isSelected)?.priority ?? false
  }

  /** Whether the owner has callbacks here or removed some. */
  concerns(owner: Owner): boolean {
    return this.#slots.some(({ entry, removers }) => entry.owner === owner || removers.includes(owner))
  }

  /** Removes one owner's callbacks; another owner's take their positions at each priority where both have some. */
  replaceOwner(outgoing: Owner, incoming?: Owner): void {
    const isIncoming = ({ entry }: Slot) => incoming !== undefined && entry.owner === incoming
    const isOther = (slot: Slot) => slot.entry.owner !== outgoing && !isIncoming(slot)
    const atPriority = (slots: readonly Slot[]) => {
      const place = slots.findIndex(({ entry }) => entry.owner === outgoing)
      if (place === -1) return slots
      return [
        ...slots.slice(0, place).filter(isOther),
        ...slots.filter(isIncoming),
        ...slots.slice(place).filter(isOther),
      ]
    }
    this.#arrange([...Map.groupBy(this.#slots, ({ entry }) => entry.priority).values()].flatMap(atPriority))
  }

  /** Sorts again, after the owner of the site chose other ones. */
  sort(): void {
    this.#arrange(this.#slots)
  }

  #arrange(slots: readonly Slot[]): void {
    const priorityOf = ({ entry }: Slot) => this.#priorityOf(entry)
    this.#slots = slots
    const sorted = slots
      .filter(isVisible)
      .sort((one, other) => priorityOf(one) - priorityOf(other) || one.entry.priority - other.entry.priority)
    const before = this.buckets
    const known = new Map(before.map((bucket) => [bucket.priority, bucket]))
    this.buckets = [...Map.groupBy(sorted, priorityOf)].map(([priority, active]) => {
      const entries = active.map(({ entry }) => entry)
      const same = known.get(priority)
      const isSame = same?.entries.length === entries.length && entries.every((entry, at) => entry === same.entries[at])
      return isSame ? same : new Bucket(priority, entries, before)
    })
  }
}

function isVisible({ removers }: Slot): boolean {
  return removers.length === 0
}
