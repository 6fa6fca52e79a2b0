import type { z } from 'zod'
import type { Undo } from '../hooks/types.ts'

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** Named JSON records of the site. */
export interface Options {
  /** The current value, deeply frozen; `undefined` if the record does not exist. */
  get(name: string): JsonValue | undefined
  /**
   * Replaces a record. Applies the `pre_update_option` filter before, and fires the `updated_option` action after. Resolves when the
   * record is durable.
   */
  update(name: string, value: JsonValue): Promise<void>
  /** Computes a record from its current value. Concurrent changes are serialized, so none is lost. */
  modify(name: string, change: (current: JsonValue | undefined) => JsonValue): Promise<void>
  /** Deletes a record; fires `updated_option` with `undefined` as the new value. */
  delete(name: string): Promise<void>
  /** Names of all records, sorted. */
  names(): string[]
}

/** The options as used by core. */
export interface OptionsStore extends Options {
  /** Like `modify`; resolves to the stored value after all filters. */
  modifyAndGet(name: string, change: (current: JsonValue | undefined) => JsonValue): Promise<JsonValue | undefined>
  /**
   * Maps values of a record with `show` before hooks receive them; the stored value is unaffected. A later call for the same record
   * replaces the earlier one.
   */
  conceal(name: string, show: (value: JsonValue) => JsonValue): void
  /** Resolves when the values that other processes have stored before this call are visible. */
  catchUp(): Promise<void>
  /** Finishes writes in progress. */
  close(): Promise<void>
}

/** Encrypts values at rest. A value can be decrypted only for the place for which it was encrypted: `ai_settings.apiKey`. */
export interface Vault {
  seal(value: JsonValue, place: string): JsonValue
  /** @throws Error if the value was altered, moved to another place, or encrypted by another site. */
  open(sealed: JsonValue, place: string): JsonValue
}

export interface SettingsUpdate {
  /** Supplied keys that the schema declares; they are now stored. */
  readonly updated: string[]
  /** Supplied keys that the schema does not declare. Stored unchanged, since another version of the schema may declare them. */
  readonly unknown: string[]
}

/** Rejects excess keys in variables too; TypeScript itself checks literals only. Names known only at run time are accepted. */
type NoOtherKeys<Given, Known> = string extends keyof Given
  ? unknown
  : { readonly [Key in Exclude<keyof Given, keyof Known>]: never }

/** One settings record with its schema: `<name>_settings` in the options. */
export interface Settings<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string
  /**
   * The stored values merged over the defaults, including unknown keys, with decrypted secrets; deeply frozen. Never send it to
   * clients: see `masked`.
   */
  get(): z.output<Schema>
  /**
   * Merges the supplied keys into the stored record. Fires `<name>_settings_update:before` and `:after`.
   * @throws RestError `rest_invalid_param` if any key is invalid; nothing is stored then
   */
  update<Changes extends Readonly<Partial<z.input<Schema>>>>(
    changes: Changes & NoOtherKeys<Changes, z.input<Schema>>,
  ): Promise<SettingsUpdate>
  /**
   * Like `update`, but only if the record still has one of these versions; `undefined` accepts any version. Of two concurrent updates
   * based on the same version, one is rejected. The result includes the new version.
   * @throws RestError 412 `settings_changed`
   */
  updateVersion(
    changes: Readonly<Partial<z.input<Schema>>>,
    versions: readonly string[] | undefined,
  ): Promise<SettingsUpdate & { readonly version: string }>
  /** Like `get`, with secrets masked as `********`: the values that the admin receives. */
  masked(): Record<string, unknown>
  /** Changes with every change of the stored record and reveals nothing about its contents. For `ETag` and `If-Match`. */
  version(): string
  /** JSON Schema of the record with titles, descriptions, defaults, groups and which keys are secret; without stored values. */
  jsonSchema(): Record<string, unknown>
}

/** The settings records of the site, by name. */
export interface SettingsRegistry {
  /**
   * Declares a record. Each key can have `.meta({ title, description, group, secret: true })`. A secret that is sent to a server has
   * `boundTo: ['serverUrl']`, the keys of the server's address: if one of them changes, the secret must be entered again; if one is
   * cleared, the secret is removed. If an empty address means a default server, the address's key has
   * `.meta({ emptyAddress: 'https://api.example.org' })`. Every key must be optional or have a default, and must accept its own output.
   *
   * @param owner - The same owner may declare a name again, as in a reload: the latest declaration applies until it is undone.
   * @throws Error if another owner has already declared that name.
   */
  register<Schema extends z.ZodObject>(
    name: string,
    schema: Schema,
    owner?: string,
  ): { settings: Settings<Schema>; undo: Undo }
  /** The latest declaration of that name. */
  get(name: string): Settings | undefined
  names(): string[]
}
