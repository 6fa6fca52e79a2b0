import { type Entry, Listeners } from './listeners.ts'

/** What is known of one hook name. Without listeners only the counts remain. */
export interface HookRecord {
  readonly name: string
  filtered: number
  acted: number
  /** `undefined` while nobody listens; then a dispatch costs one look-up. */
  listeners: Listeners | undefined
}

/** Actions and filters live in one store, as in WordPress: what `addAction` adds, `removeFilter` removes. */
export class Store {
  /** Every name dispatched or listened to so far. Dispatches read it themselves, which saves them a call. */
  readonly records: ReadonlyMap<string, HookRecord>
  readonly #records = new Map<string, HookRecord>()
  /** The hook named `all`, whose callbacks run before those of any hook. */
  readonly all: HookRecord

  constructor() {
    this.records = this.#records
    this.all = this.open('all')
  }

  /** The record of that name, made if it is new. */
  open(name: string): HookRecord {
    const known = this.#records.get(name)
    if (known !== undefined) return known
    const record: HookRecord = { name, filtered: 0, acted: 0, listeners: undefined }
    this.#records.set(name, record)
    return record
  }

  add(entry: Entry): void {
    const record = this.open(entry.name)
    record.listeners ??= new Listeners()
    record.listeners.add(entry)
  }

  /** Changes what listens to a hook, seen by dispatches under way. The hook is forgotten with its last callback. */
  change<Result>(name: string, change: (listeners: Listeners) => Result): Result | undefined {
    const record = this.#records.get(name)
    if (record?.listeners === undefined) return undefined
    const result = change(record.listeners)
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
    const listeners = new Listeners(record.listeners?.buckets)
    change(listeners)
    record.listeners = listeners
    this.#tidy(record)
  }

  /** Keeps nothing of a hook that lost its last callback but its counts, and without counts nothing at all. */
  #tidy(record: HookRecord): void {
    if (record.listeners !== undefined && record.listeners.buckets.length === 0) record.listeners = undefined
    const isUnused = record.listeners === undefined && record.filtered + record.acted === 0
    if (isUnused && record !== this.all) this.#records.delete(record.name)
  }
}
