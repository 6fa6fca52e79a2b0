import { isDeepStrictEqual } from 'node:util'
import { Low } from 'lowdb'
import type { JsonRecord } from './json.ts'
import type { RecordStorage } from './storage.ts'
import type { JsonValue } from './types.ts'

/** The next value of a record, computed from `base`; `undefined` if the record does not exist. */
export interface Write {
  readonly name: string
  readonly base: JsonValue | undefined
  readonly value: JsonValue | undefined
}

/** `stale`: the record is no longer `base`. Nothing was written; recompute the value from the current one. */
export type Outcome = 'written' | 'stale'

/** A record that another process changed. */
export type ExternalChange = readonly [name: string, oldValue: JsonValue | undefined, value: JsonValue | undefined]

/** The records; all values are durable. */
export interface Store {
  get(name: string): JsonValue | undefined
  names(): string[]
  /** Resolves when the value is durable. Values that arrive during a write are written together afterward. */
  write(write: Write): Promise<Outcome>
  /** Reads what other processes have stored before this call. */
  catchUp(): Promise<void>
  close(): Promise<void>
}

export interface StoreListener {
  changed(changes: readonly ExternalChange[]): void
  /** Another process changed the records, and they cannot be read; called once until they can. */
  failed(error: unknown): void
}

interface Queued extends Write {
  settle(outcome: Outcome): void
  fail(error: unknown): void
}

/** Reads the records. @throws Error with the remedy if they are damaged */
export async function openStore(storage: RecordStorage, listener: StoreListener): Promise<Store> {
  const low = new Low<JsonRecord>(storage, {})
  await low.read()

  let records = new Map(Object.entries(low.data))
  let queue: Queued[] = []
  let isPollDue = false
  let working: Promise<void> | undefined
  let closed = false
  let failure: unknown

  /** Serializes all reads and writes. */
  async function work(): Promise<void> {
    while (queue.length > 0 || isPollDue) {
      const batch = queue
      queue = []
      isPollDue = false
      try {
        if (batch.length === 0) await readChanges()
        else await commit(batch)
        failure = undefined
      } catch (error) {
        if (batch.length === 0 && !failure) listener.failed(error)
        failure = error
        for (const queued of batch) queued.fail(error)
      }
    }
    working = undefined
  }

  async function commit(batch: readonly Queued[]): Promise<void> {
    const outcomes = await storage.hold(() => apply(batch))
    for (const [index, queued] of batch.entries()) queued.settle(outcomes[index] ?? 'stale')
  }

  async function apply(batch: readonly Write[]): Promise<Outcome[]> {
    await readChanges()
    const next = new Map(records)
    const outcomes = batch.map(({ name, base, value }): Outcome => {
      if (next.get(name) !== base) return 'stale'
      if (value === undefined) next.delete(name)
      else next.set(name, value)
      return 'written'
    })
    if (batch.some(({ base, value }, index) => outcomes[index] === 'written' && value !== base)) await save(next)
    return outcomes
  }

  async function save(next: Map<string, JsonValue>): Promise<void> {
    const before = low.data
    low.data = Object.fromEntries(next)
    try {
      await low.write()
    } catch (error) {
      low.data = before
      throw error
    }
    records = next
  }

  /** Reads changes by other processes. If all records were deleted, they stay in memory, and the next write restores them. */
  async function readChanges(): Promise<void> {
    if (!(await storage.changed())) return
    await low.read()
    const before = records
    // Unchanged records remain the same objects, because `apply` compares by identity.
    const reuse = ([name, value]: [string, JsonValue]): [string, JsonValue] => {
      const known = before.get(name)
      return [name, known !== undefined && isDeepStrictEqual(known, value) ? known : value]
    }
    records = new Map(Object.entries(low.data).map(reuse))
    const names = new Set([...before.keys(), ...records.keys()])
    const changes = [...names]
      .map((name): ExternalChange => [name, before.get(name), records.get(name)])
      .filter(([, oldValue, value]) => oldValue !== value)
    if (changes.length > 0) listener.changed(changes)
  }

  const poll = () => {
    isPollDue = true
    working ??= work()
    return working
  }
  const stopWatching = storage.watch(() => void poll())

  return {
    get: (name) => records.get(name),
    names: () => [...records.keys()].sort(),
    write(write) {
      if (closed) return Promise.reject(new Error('The options are closed.'))
      return new Promise((settle, fail) => {
        queue.push({ ...write, settle, fail })
        working ??= work()
      })
    },
    async catchUp() {
      await poll()
      if (failure) throw failure
    },
    async close() {
      closed = true
      stopWatching()
      await working
    },
  }
}
