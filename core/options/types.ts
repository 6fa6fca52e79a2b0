import type { z } from 'zod'
import type { Undo } from '../hooks/types.ts'

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** Named JSON records of the site, kept in `options.json`. */
export interface Options {
  /** The record as it is now, deeply frozen; `undefined` if there is none. */
  get(name: string): JsonValue | undefined
  /**
   * Replaces a record. Fires the filter `pre_update_option` before and the action `updated_option`
   * after; resolves once the record survives `kill -9`.
   */
  update(name: string, value: JsonValue): Promise<void>
  /** Changes a record from its newest value; two changes at once both take effect. */
  modify(name: string, change: (current: JsonValue | undefined) => JsonValue): Promise<void>
  /** Removes a record; fires `updated_option` with `undefined` as the new value. */
  delete(name: string): Promise<void>
  /** Names of all records, sorted. */
  names(): string[]
}

/** The options as core has them. */
export interface OptionsStore extends Options {
  /** As `modify`; resolves to what it stored, filters and all. */
  modifyAndGet(name: string, change: (current: JsonValue | undefined) => JsonValue): Promise<JsonValue | undefined>
  /**
   * Makes hooks see values of a record only as `show` gives them; what is stored stays as it is. A later call for the
   * same record takes the place of the earlier one.
   */
  conceal(name: string, show: (value: JsonValue) => JsonValue): void
  /** Finishes what is under way. */
  close(): Promise<void>
}

/** Encrypts values at rest. A value opens only in the place that it was sealed for: `ai_settings.apiKey`. */
export interface Vault {
  seal(value: JsonValue, place: string): JsonValue
  /** @throws Error if the value was altered, moved or sealed with another site's key. */
  open(sealed: JsonValue, place: string): JsonValue
}

export interface SettingsUpdate {
  /** Keys of the schema that were supplied and are now stored. */
  readonly updated: string[]
  /** Supplied keys that the schema does not have. Stored as they are, since another version of the schema may have them. */
  readonly unknown: string[]
}

/** Refuses further keys also of a variable, where TypeScript alone finds them in literals only; names known at run time pass. */
type NoOtherKeys<Given, Known> = string extends keyof Given
  ? unknown
  : { readonly [Key in Exclude<keyof Given, keyof Known>]: never }

/** One settings record with its schema: `<name>_settings` in the options. */
export interface Settings<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string
  /**
   * The stored values over the defaults, secrets decrypted, deeply frozen; keys that the schema does not know are there
   * too. For code on the server only.
   */
  get(): z.output<Schema>
  /**
   * Merges the supplied keys over the stored record (contract 2.5): refuses the whole update with
   * `rest_invalid_param` if one is wrong, fires `<name>_settings_update:before` and `:after`.
   */
  update<Changes extends Readonly<Partial<z.input<Schema>>>>(
    changes: Changes & NoOtherKeys<Changes, z.input<Schema>>,
  ): Promise<SettingsUpdate>
  /**
   * As `update`, where nobody changed the record since it had one of these versions; `undefined` takes any. Of two at
   * once that know the same version one is refused. Resolves to the version that it made, too.
   * @throws RestError 412 `settings_changed`
   */
  updateVersion(
    changes: Readonly<Partial<z.input<Schema>>>,
    versions: readonly string[] | undefined,
  ): Promise<SettingsUpdate & { readonly version: string }>
  /** As `get`, with every secret that is set shown as `********`. What the admin pages get. */
  masked(): Record<string, unknown>
  /** Another one whenever the stored record is another; tells nothing of what is in it. For `ETag` and `If-Match`. */
  version(): string
  /** JSON Schema of the record with titles, descriptions, defaults, groups and which keys are secret; never values. */
  jsonSchema(): Record<string, unknown>
}

/** Every settings record of the site, by name. */
export interface SettingsRegistry {
  /**
   * Declares a record. Each key may carry `.meta({ title, description, group, secret: true })`, and a secret that is sent
   * somewhere `boundTo: ['serverUrl']`, the keys of that address: when one of them changes, the secret has to be entered
   * again, and when one is emptied, the secret is removed. If empty stands for an address, as for a service with a default
   * server, the address's key has `.meta({ emptyAddress: 'https://api.example.org' })`.
   * Every key needs a default or must be optional, and must accept what it converts to.
   *
   * @param owner - The same owner may declare a name again while the old declaration still stands, as a reload does:
   * the newest counts until it is undone.
   * @throws Error if another owner already declared that name.
   */
  register<Schema extends z.ZodObject>(
    name: string,
    schema: Schema,
    owner?: string,
  ): { settings: Settings<Schema>; undo: Undo }
  /** The newest declaration of that name. */
  get(name: string): Settings | undefined
  names(): string[]
}
