import { AsyncLocalStorage } from 'node:async_hooks'
import { isDeepStrictEqual } from 'node:util'
import type { Hooks } from '../hooks/types.ts'
import { isHandlingRequest } from '../http/request-context.ts'
import type { Logger } from '../log.ts'
import { invalidParameter } from '../schema/errors.ts'
import { filterShapes } from './hooks.ts'
import { isForbiddenKey, toJson } from './json.ts'
import type { RecordStorage } from './storage.ts'
import { type ExternalChange, openStore, type Write } from './store.ts'
import type { JsonValue, OptionsStore } from './types.ts'

export { createVault } from './secrets.ts'
export { createSettings } from './settings.ts'
export { createSiteInfo } from './site-info.ts'
export { loadSiteKey, type SiteKey } from './site-key.ts'
export { openRecordFile, type RecordStorage } from './storage.ts'
export type * from './types.ts'

/** Length of WordPress's column `option_name`. */
const MAX_NAME_LENGTH = 191
/** Time limit of a callback outside of requests, in milliseconds: later changes of the record wait for it, among them the state of its extension. */
const CALLBACK_TIME = 5_000

/** A dispatch of `pre_update_option`; `parent` is the dispatch whose callback caused it. */
interface Filtering {
  readonly name: string
  readonly parent: Filtering | undefined
  running: boolean
}

/**
 * Opens the site's named records. Several processes can open them at the same time.
 *
 * @throws Error with the remedy if they are damaged; damaged records are never replaced by empty ones.
 */
export async function createOptions(parts: {
  storage: RecordStorage
  hooks: Hooks
  log: Logger
}): Promise<OptionsStore> {
  const { storage, hooks, log } = parts
  hooks.declareFilters(filterShapes)
  /** Values that are being written; the next change of the same record starts from them. */
  const pending = new Map<string, Write>()
  /** The last queued change to each record: changes to one record run one at a time. */
  const queues = new Map<string, Promise<unknown>>()
  const filtering = new AsyncLocalStorage<Filtering>()
  const concealed = new Map<string, (value: JsonValue) => JsonValue>()
  let announcing: Promise<void> = Promise.resolve()
  const background = hooks.limited({ timeout: CALLBACK_TIME })
  const limited = () => (isHandlingRequest() ? hooks : background)

  const store = await openStore(storage, {
    changed(changes) {
      announcing = announcing.then(() => announceAll(changes))
    },
    failed: (error) => log.error({ err: error }, 'could not read options changed by another process'),
  })

  function shown(name: string, value: JsonValue | undefined): JsonValue | undefined {
    return value === undefined ? undefined : (concealed.get(name)?.(value) ?? value)
  }

  async function announceAll(changes: readonly ExternalChange[]): Promise<void> {
    for (const change of changes) await announce(change, true)
  }

  /** Never rejects: the change is stored, so a failing callback must not make the caller believe that it failed. */
  async function announce([name, oldValue, value]: ExternalChange, isExternal: boolean): Promise<void> {
    try {
      await limited().doActionAsync('updated_option', name, shown(name, oldValue), shown(name, value), isExternal)
    } catch (error) {
      log.error({ err: error, option: name }, 'updated_option callback failed')
    }
  }

  /** @param compute - Computes the next value from the current one; `undefined` deletes the record. */
  async function change(
    name: string,
    compute: (current: JsonValue | undefined) => JsonValue | undefined,
  ): Promise<JsonValue | undefined> {
    checkName(name)
    for (;;) {
      const { write, outcome } = await serialize(name, () => prepare(name, compute))
      if ((await outcome) === 'stale') continue
      if (write.value !== write.base) await announce([name, write.base, write.value], false)
      return write.value
    }
  }

  const modifyAndGet: OptionsStore['modifyAndGet'] = (name, make) =>
    change(name, (current) => toJson(make(current), name))

  async function prepare(name: string, make: (current: JsonValue | undefined) => JsonValue | undefined) {
    for (;;) {
      const base = newest(name)
      const value = await filter(name, make(base), base)
      // Changes made inside callbacks bypass the queue, so one may have been written in the meantime.
      if (newest(name) !== base) continue
      const write: Write = { name, base, value }
      pending.set(name, write)
      return { write, outcome: send(write) }
    }
  }

  function newest(name: string): JsonValue | undefined {
    const write = pending.get(name)
    return write ? write.value : store.get(name)
  }

  async function send(write: Write) {
    try {
      const outcome = await store.write(write)
      if (outcome === 'stale' || pending.get(write.name) === write) pending.delete(write.name)
      return outcome
    } catch (error) {
      // Changes based on this one become stale and are recomputed.
      pending.delete(write.name)
      throw error
    }
  }

  async function filter(
    name: string,
    proposed: JsonValue | undefined,
    base: JsonValue | undefined,
  ): Promise<JsonValue | undefined> {
    if (proposed === undefined) return undefined
    const scope: Filtering = { name, parent: filtering.getStore(), running: true }
    try {
      const filtered = await filtering.run(scope, () =>
        limited().applyFiltersAsync('pre_update_option', proposed, name, shown(name, base)),
      )
      const value = toJson(filtered, name)
      return isDeepStrictEqual(value, base) ? base : value
    } finally {
      scope.running = false
    }
  }

  /** Changes inside a `pre_update_option` callback bypass the queue, because two callbacks waiting for each other would deadlock. */
  function serialize<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    let nested = false
    for (let outer = filtering.getStore(); outer; outer = outer.parent) {
      if (!outer.running) continue
      if (outer.name === name) {
        throw new Error(`A callback of pre_update_option must return the value of ${name}, not store it.`)
      }
      nested = true
    }
    if (nested) return work()
    const queued = (queues.get(name) ?? Promise.resolve()).then(work)
    const settled = queued.then(
      () => {},
      () => {},
    )
    queues.set(name, settled)
    void settled.then(() => {
      if (queues.get(name) === settled) queues.delete(name)
    })
    return queued
  }

  return {
    get: (name) => store.get(name),
    names: () => store.names(),
    async update(name, value) {
      const copy = toJson(value, name)
      await change(name, () => copy)
    },
    async modify(name, make) {
      await modifyAndGet(name, make)
    },
    modifyAndGet,
    async delete(name) {
      await change(name, () => undefined)
    },
    catchUp: store.catchUp,
    conceal: (name, show) => void concealed.set(name, show),
    async close() {
      await Promise.all(queues.values())
      await store.close()
      await announcing
    },
  }
}

function checkName(name: string): void {
  if (name !== '' && name.length <= MAX_NAME_LENGTH && !isForbiddenKey(name)) return
  throw invalidParameter(
    'name',
    `An option name must have 1 to ${MAX_NAME_LENGTH} characters and must not be __proto__, constructor, or prototype.`,
  )
}
