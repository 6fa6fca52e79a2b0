import type { Owner } from '../owner.ts'
import type { Current } from './current.ts'
import type { Entry } from './entry.ts'
import type { CheckedHook } from './guard.ts'
import { Listeners } from './listeners.ts'
import type { ListenerStore, Selection } from './registration.ts'
import type { Removals } from './removals.ts'
import { type Rule, type SettledBy, Shapes, settledBy } from './shapes.ts'
import type { Undo } from './types.ts'

/** What is known of one hook name. Without listeners only the counts remain. */
export interface HookRecord extends CheckedHook {
  readonly name: string
  filtered: number
  acted: number
  /** `undefined` while nobody listens; then a dispatch costs one look-up. */
  listeners: Listeners | undefined
  rule: Rule | undefined
  isProtective: boolean
  readonly current: Current
}

/** By what a dispatch tells values that need no closer look: without a shape, those of the kind that it began with. */
export function settledIn({ rule }: HookRecord, value: unknown): SettledBy {
  return rule === undefined ? settledBy(value) : rule.settledBy
}

/** Actions and filters live in one store, as in WordPress: what `addAction` adds, `removeFilter` removes. */
export class Store implements ListenerStore {
  /** Every name dispatched or listened to so far. Dispatches read it themselves, which saves them a call. */
  readonly records: ReadonlyMap<string, HookRecord>
  readonly #records = new Map<string, HookRecord>()
  /** Removals of others' callbacks by owners that are not unloaded. */
  readonly removals = new Map<Owner, Removals>()
  /** How often callbacks came or went, of any hook. */
  changes = 0
  readonly #shapes = new Shapes()
  readonly #current: Current
  /** The hook named `all`, whose callbacks run before those of any hook. */
  readonly all: HookRecord

  constructor(current: Current) {
    this.#current = current
    this.records = this.#records
    this.all = this.open('all')
  }

  /** The record of that name, made if it is new. */
  open(name: string): HookRecord {
    const known = this.#records.get(name)
    if (known !== undefined) return known
    const rule = this.#shapes.find(name)
    const record: HookRecord = {
      name,
      filtered: 0,
      acted: 0,
      listeners: undefined,
      rule,
      isProtective: rule?.isProtective ?? false,
      kindChange: undefined,
      current: this.#current,
    }
    this.#records.set(name, record)
    return record
  }

  /** Declares what filters may return; callbacks that are registered already are checked from then on too. */
  declareFilters(shapes: Readonly<Record<string, unknown>>): Undo {
    const undo = this.#shapes.declare(shapes)
    this.#readShapes()
    return () => {
      undo()
      this.#readShapes()
    }
  }

  #readShapes(): void {
    for (const record of this.#records.values()) {
      record.rule = this.#shapes.find(record.name)
      record.isProtective = record.rule?.isProtective ?? false
    }
  }

  add(entry: Entry): void {
    const record = this.open(entry.name)
    record.listeners ??= new Listeners()
    record.listeners.add(entry)
    this.changes++
  }

  remove(name: string, { isWanted }: Selection): boolean {
    return this.change(name, (listeners) => listeners.remove(isWanted, undefined).ran.length > 0) ?? false
  }

  drop(entry: Entry): void {
    this.change(entry.name, (listeners) => listeners.drop(entry))
  }

  /** Changes what listens to a hook, seen by dispatches under way. The hook is forgotten with its last callback. */
  change<Result>(name: string, change: (listeners: Listeners) => Result): Result | undefined {
    const record = this.#records.get(name)
    if (record?.listeners === undefined) return undefined
    const result = change(record.listeners)
    this.changes++
    this.#tidy(record)
    return result
  }

  look<Result>(name: string, look: (listeners: Listeners) => Result): Result | undefined {
    const listeners = this.#records.get(name)?.listeners
    return listeners && look(listeners)
  }

  /** Changes what listens to a hook, for dispatches that begin later only. */
  replace(name: string, change: (listeners: Listeners) => void): void {
    const record = this.open(name)
    const listeners = new Listeners(record.listeners)
    change(listeners)
    record.listeners = listeners
    this.changes++
    this.#tidy(record)
  }

  /** Keeps nothing of a hook that lost its last callback but its counts, and without counts nothing at all. */
  #tidy(record: HookRecord): void {
    if (record.listeners?.isEmpty) record.listeners = undefined
    const isUnused = record.listeners === undefined && record.filtered + record.acted === 0
    if (isUnused && record !== this.all) this.#records.delete(record.name)
  }
}
