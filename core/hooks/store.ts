import type { Owner } from '../owner.ts'
import type { Current } from './current.ts'
import type { Entry, PriorityOf } from './entry.ts'
import type { CheckedHook } from './guard.ts'
import { Listeners } from './listeners.ts'
import type { ListenerStore, Selection } from './registration.ts'
import type { Removals } from './removals.ts'
import { primitiveTypeOf, type Rule, Shapes, type ValidType } from './shapes.ts'
import type { Undo } from './types.ts'

/** State of one hook. Without callbacks, only the counts remain. */
export interface HookRecord extends CheckedHook {
  readonly name: string
  filterCount: number
  actionCount: number
  /** `undefined` without callbacks, so that a dispatch costs one lookup. */
  listeners: Listeners | undefined
  rule: Rule | undefined
  isProtective: boolean
  readonly current: Current
}

/** The type of values that need no further check in a dispatch: without a declared shape, the type of the initial value. */
export function validTypeFor({ rule }: HookRecord, value: unknown): ValidType {
  return rule === undefined ? primitiveTypeOf(value) : rule.validType
}

/** Actions and filters share one store, as in WordPress: `removeFilter` also removes what `addAction` added. */
export class Store implements ListenerStore {
  /** Every name dispatched or registered so far. Dispatches read it directly, which saves a call. */
  readonly records: ReadonlyMap<string, HookRecord>
  readonly #records = new Map<string, HookRecord>()
  /** Removals by owners that are still loaded. */
  readonly removals = new Map<Owner, Removals>()
  /** Number of changes to any hook's callbacks. */
  changes = 0
  #priorityOf: PriorityOf | undefined
  readonly #shapes = new Shapes()
  readonly #current: Current
  /** The `all` hook, whose callbacks run before those of every hook. */
  readonly all: HookRecord

  constructor(current: Current) {
    this.#current = current
    this.records = this.#records
    this.all = this.recordOf('all')
  }

  /** The record of that name, created if missing. */
  recordOf(name: string): HookRecord {
    const known = this.#records.get(name)
    if (known !== undefined) return known
    const rule = this.#shapes.find(name)
    const record: HookRecord = {
      name,
      filterCount: 0,
      actionCount: 0,
      listeners: undefined,
      rule,
      isProtective: rule?.isProtective ?? false,
      kindChange: undefined,
      current: this.#current,
    }
    this.#records.set(name, record)
    return record
  }

  /** Declares what filters may return; callbacks that are already registered are checked too. */
  declareFilters(shapes: Readonly<Record<string, unknown>>): Undo {
    const undo = this.#shapes.declare(shapes)
    this.#applyShapes()
    return () => {
      undo()
      this.#applyShapes()
    }
  }

  #applyShapes(): void {
    for (const record of this.#records.values()) {
      record.rule = this.#shapes.find(record.name)
      record.isProtective = record.rule?.isProtective ?? false
    }
  }

  add(entry: Entry): void {
    const record = this.recordOf(entry.name)
    record.listeners ??= new Listeners(undefined, this.#priorityOf)
    record.listeners.add(entry)
    this.changes++
  }

  remove(name: string, { isSelected }: Selection): boolean {
    return this.change(name, (listeners) => listeners.remove(isSelected, undefined).ran.length > 0) ?? false
  }

  drop(entry: Entry): void {
    this.change(entry.name, (listeners) => listeners.drop(entry))
  }

  /** Changes a hook's callbacks, visible to dispatches in progress. Without callbacks the hook is removed. */
  change<Result>(name: string, change: (listeners: Listeners) => Result): Result | undefined {
    const record = this.#records.get(name)
    if (record?.listeners === undefined) return undefined
    const result = change(record.listeners)
    this.changes++
    this.#removeUnused(record)
    return result
  }

  read<Result>(name: string, look: (listeners: Listeners) => Result): Result | undefined {
    const listeners = this.#records.get(name)?.listeners
    return listeners && look(listeners)
  }

  /** Changes a hook's callbacks for later dispatches only. */
  replace(name: string, change: (listeners: Listeners) => void): void {
    const record = this.recordOf(name)
    const listeners = new Listeners(record.listeners, this.#priorityOf)
    change(listeners)
    record.listeners = listeners
    this.changes++
    this.#removeUnused(record)
  }

  /** Runs callbacks at other priorities than their own, in later dispatches. */
  reorder(priorityOf: PriorityOf): void {
    this.#priorityOf = priorityOf
    for (const { name, listeners } of this.#records.values()) {
      if (listeners !== undefined) this.replace(name, (changed) => changed.sort())
    }
  }

  /** Removes a hook without callbacks, except for its counts, if there are any. */
  #removeUnused(record: HookRecord): void {
    if (record.listeners?.isEmpty) record.listeners = undefined
    const isUnused = record.listeners === undefined && record.filterCount + record.actionCount === 0
    if (isUnused && record !== this.all) this.#records.delete(record.name)
  }
}
