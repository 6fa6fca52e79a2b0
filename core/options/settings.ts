import { createHmac } from 'node:crypto'
import type { z } from 'zod'
import { RestError } from '../errors.ts'
import type { Hooks } from '../hooks/types.ts'
import type { Logger } from '../log.ts'
import './hooks.ts'
import { invalidParameter } from '../schema/errors.ts'
import { freezeDeeply, isJsonRecord, toJson } from './json.ts'
import { createVault, isSealed, isSet, MASK } from './secrets.ts'
import { describeSettings } from './settings-schema.ts'
import type { SiteKey } from './site-key.ts'
import type { JsonValue, OptionsStore, Settings, SettingsRegistry, SettingsUpdate, Vault } from './types.ts'

/** Maximum size of a stored record, in bytes of JSON. */
export const MAX_RECORD_BYTES = 64 * 1024
/** Name of an extension or service, from which the names of its record and hooks are built. */
const NAME = /^[a-z][a-z0-9_-]{0,63}$/

type Values = Readonly<Record<string, JsonValue>>

const NOTHING: Values = Object.freeze({})

interface Parts {
  readonly options: OptionsStore
  readonly hooks: Hooks
  readonly siteKey: SiteKey
  readonly log: Logger
}

/** The settings records of the site. The owner of a record declares its schema. */
export function createSettings({ siteKey, ...parts }: Parts): SettingsRegistry {
  const vault = createVault(siteKey)
  const versionKey = siteKey.derive('settings versions')
  const declared = new Map<string, { owner: string | undefined; settings: Settings }[]>()

  return {
    register(name, schema, owner) {
      if (!NAME.test(name)) throw new Error(`${name} is not a valid name for settings. Use only a-z, 0-9, _, and -.`)
      const others = declared.get(name) ?? []
      if (others.some((other) => owner === undefined || other.owner !== owner)) {
        throw new Error(`The settings of ${name} are already declared.`)
      }
      const settings = createRecord(name, schema, { ...parts, vault, versionKey })
      const entry = { owner, settings }
      declared.set(name, [...others, entry])
      const undo = () => {
        const left = (declared.get(name) ?? []).filter((other) => other !== entry)
        if (left.length > 0) declared.set(name, left)
        else declared.delete(name)
      }
      return { settings, undo }
    },
    get: (name) => declared.get(name)?.at(-1)?.settings,
    names: () => [...declared.keys()].sort(),
  }
}

function createRecord<Schema extends z.ZodObject>(
  name: string,
  schema: Schema,
  { options, hooks, log, vault, versionKey }: Omit<Parts, 'siteKey'> & { vault: Vault; versionKey: Buffer },
): Settings<Schema> {
  const record = `${name}_settings`
  const described = describeSettings(name, schema)
  const place = (key: string) => `${record}.${key}`
  /** Decoded values by record. Records are frozen and replaced as a whole, so an entry never becomes outdated. */
  const known = new WeakMap<Values, z.output<Schema>>()
  const versions = new WeakMap<Values, string>()

  function read(stored: Values): z.output<Schema> {
    const found = known.get(stored)
    if (found !== undefined) return found
    const values = freezeDeeply(decode(stored))
    known.set(stored, values)
    return values
  }

  const get = () => read(recordOf(options.get(record)))

  /** Keyed with a secret of the site, so that values of the record cannot be guessed from its version. */
  function versionOf(stored: Values): string {
    const version =
      versions.get(stored) ??
      createHmac('sha256', versionKey)
        .update(`${record}\n${JSON.stringify(stored)}`)
        .digest('base64url')
        .slice(0, 22)
    versions.set(stored, version)
    return version
  }

  function checkVersion(stored: Values, expected: readonly string[] | undefined): void {
    const version = versionOf(stored)
    if (!expected || expected.includes(version)) return
    throw new RestError(
      'settings_changed',
      'These settings have changed since you loaded them. Reload them, then make your changes again.',
      { status: 412 },
      { ETag: `"${version}"` },
    )
  }

  /** Decrypts secrets and fills in defaults. A value stored by an older version that no longer matches the schema is replaced by its default. */
  function decode(stored: Values): z.output<Schema> {
    const matching = new Map<string, JsonValue>()
    const unknown = new Map<string, JsonValue>()
    for (const [key, value] of Object.entries(stored)) {
      if (!isSealed(value)) (described.has(key) ? matching : unknown).set(key, value)
      else if (described.has(key)) open(key, value, matching)
    }
    for (;;) {
      const parsed = schema.safeParse(Object.fromEntries(matching), { jitless: true })
      if (parsed.success) return { ...Object.fromEntries(unknown), ...parsed.data }
      // Unreachable: that the defaults alone are valid was checked when the schema was declared.
      if (matching.size === 0) throw parsed.error
      const wrong = new Set(parsed.error.issues.map((issue) => String(issue.path[0])))
      const invalid = [...matching.keys()].filter((key) => wrong.has(key))
      // A rule without a path does not show which value is invalid, so all are dropped.
      const dropped = invalid.length > 0 ? invalid : [...matching.keys()]
      for (const key of dropped) matching.delete(key)
      log.warn({ settings: name, keys: dropped }, 'stored settings do not match their schema, using defaults')
    }
  }

  function open(key: string, value: JsonValue, into: Map<string, JsonValue>): void {
    try {
      into.set(key, vault.open(value, place(key)))
    } catch {
      log.warn({ settings: name, keys: [key] }, 'stored secret cannot be decrypted, enter it again')
    }
  }

  function seal(values: Values): Values {
    const sealed: Record<string, JsonValue> = { ...values }
    for (const key of described.secrets) {
      const value = values[key]
      if (value !== undefined && isSet(value)) sealed[key] = vault.seal(value, place(key))
    }
    return sealed
  }

  const isPlaintext = (key: string, value: JsonValue | undefined) =>
    described.secrets.has(key) && isSet(value) && !isSealed(value)

  /** Secrets that were stored before their key was marked secret. */
  const plaintextSecrets = (stored: Values): Values =>
    Object.fromEntries(Object.entries(stored).filter(([key, value]) => isPlaintext(key, value)))

  const sealStored = (stored: Values): Values => ({ ...stored, ...seal(plaintextSecrets(stored)) })

  /** Encrypts them in the background: the settings are readable either way, and `options.close` waits for it. */
  function sealPlaintextSecrets(): void {
    options.conceal(record, (value) => (isJsonRecord(value) ? { ...value, ...toMask(plaintextSecrets(value)) } : value))
    if (Object.keys(plaintextSecrets(recordOf(options.get(record)))).length === 0) return
    options
      .modify(record, (stored = NOTHING) => (isJsonRecord(stored) ? sealStored(stored) : stored))
      .catch((error: unknown) => log.error({ err: error, settings: name }, 'could not encrypt stored secrets'))
  }

  function mask(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const masked: Record<string, unknown> = { ...values }
    for (const key of described.secrets) if (isSet(values[key])) masked[key] = MASK
    return Object.freeze(masked)
  }

  /** Validates and converts the changes, without secrets that were sent back as their mask. */
  function accept(changes: Readonly<Record<string, unknown>>): Values {
    const values = toJson(changes, 'settings')
    if (!isJsonRecord(values)) {
      throw invalidParameter('settings', 'settings is not of type object.', 'rest_invalid_type')
    }
    const supplied = Object.entries(values).filter(([key, value]) => !(described.secrets.has(key) && value === MASK))
    return described.check(Object.fromEntries(supplied))
  }

  function checkRecord(merged: Values, accepted: Values): void {
    if (Buffer.byteLength(JSON.stringify(merged)) > MAX_RECORD_BYTES) {
      throw invalidParameter('settings', `Settings must not exceed ${MAX_RECORD_BYTES / 1024} KB in total.`)
    }
    described.checkRecord({ ...read(merged), ...accepted })
  }

  /** The record after the update, without the secrets whose address it removes. */
  function merge(previous: Values, accepted: Values, sealed: Values): Values {
    const next = { ...read(previous), ...accepted }
    const removed = described.checkSecrets({ previous: read(previous), next, supplied: new Set(Object.keys(accepted)) })
    const merged = Object.entries({ ...sealStored(previous), ...sealed }).filter(([key]) => !removed.includes(key))
    return recordOf(toJson(Object.fromEntries(merged), record))
  }

  async function updateVersion(changes: Readonly<Record<string, unknown>>, expected: readonly string[] | undefined) {
    const accepted = accept(changes)
    const known = recordOf(options.get(record))
    checkVersion(known, expected)
    merge(known, accepted, NOTHING)
    await hooks.doActionAsync(`${name}_settings_update:before`, mask(accepted), mask(get()))
    const sealed = seal(accepted)
    let previous = NOTHING
    let merged = NOTHING
    const written = await options.modifyAndGet(record, (stored) => {
      previous = recordOf(stored)
      // Serialized with other changes to the record: if two updates are concurrent, the second one sees the result of the first.
      checkVersion(previous, expected)
      merged = merge(previous, accepted, sealed)
      checkRecord(merged, accepted)
      return merged
    })
    try {
      await hooks.doActionAsync(`${name}_settings_update:after`, mask(read(merged)), mask(read(previous)))
    } catch (error) {
      log.error({ err: error, settings: name }, 'settings update callback failed')
    }
    const keys = Object.keys(accepted)
    return {
      updated: keys.filter((key) => described.has(key)),
      unknown: keys.filter((key) => !described.has(key)),
      version: versionOf(recordOf(written)),
    }
  }

  async function update(changes: Readonly<Record<string, unknown>>): Promise<SettingsUpdate> {
    const { version: _, ...result } = await updateVersion(changes, undefined)
    return result
  }

  sealPlaintextSecrets()
  return {
    name,
    get,
    update,
    updateVersion,
    version: () => versionOf(recordOf(options.get(record))),
    masked: () => mask(get()),
    jsonSchema: () => structuredClone(described.jsonSchema),
  }
}

function toMask(secrets: Values): Values {
  return Object.fromEntries(Object.keys(secrets).map((key) => [key, MASK]))
}

/** The stored record; empty if the option is not an object. */
function recordOf(stored: JsonValue | undefined): Values {
  return isJsonRecord(stored) ? stored : NOTHING
}
