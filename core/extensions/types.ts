import type { z } from 'zod'
import type { CurrentUser } from '../auth/current-user.ts'
import type { Auth } from '../auth/types.ts'
import type { Hooks, Undo } from '../hooks/types.ts'
import type { Front } from '../http/front.ts'
import type { Logger } from '../log.ts'
import type { Options, Settings, Vault } from '../options/types.ts'
import type { Rest, RouteSet } from '../rest/types.ts'

/** The default export of an extension's entry file, created with `defineExtension`. */
export interface ExtensionDefinition {
  /** Lowercase letters, digits, and hyphens; unique on the site. */
  readonly id: string
  readonly name: string
  /** Semantic version. */
  readonly version: string
  readonly description?: string
  /** Runs only with an active license. */
  readonly pro?: boolean
  /**
   * What it requires, as semver ranges, written before `setup` as a literal. It runs only with this version of Pentad and with these other
   * extensions active.
   */
  readonly requires?: { readonly pentad?: string; readonly extensions?: Readonly<Record<string, string>> }
  /** Registers everything. Registrations made through `host` are undone when the extension is unloaded. */
  setup(host: ExtensionHost): void | Promise<void>
  /** Deletes what it stored, such as its tables. Called without `setup`, when the inactive extension is removed with its data. */
  uninstall?(host: ExtensionHost): void | Promise<void>
}

/**
 * What an extension receives: the registries of the host, in a view that records everything registered through it. Deactivating,
 * reloading, or an error in `setup` undoes all of it. Parts of the product add members by declaration merging, and provide them with an
 * `ExtensionView`.
 */
export interface ExtensionHost extends CurrentUser {
  readonly id: string
  readonly hooks: Hooks
  readonly rest: {
    /** `registerRoute('hello/v1', { method: 'GET', path: '/greeting', access: 'public', handler: () => … })`. */
    readonly registerRoute: RouteSet['registerRoute']
    readonly alias: Rest['alias']
    /** @deprecated Use `alias`. */
    readonly serveAt: Rest['serveAt']
    readonly url: Rest['url']
    readonly dispatch: Rest['dispatch']
  }
  readonly settings: {
    /** Declares the settings record `<id>_settings`, updated with `PUT /host/v1/settings/<id>`. */
    register<Schema extends z.ZodObject>(schema: Schema): Settings<Schema>
  }
  readonly options: Options
  readonly auth: ExtensionAuth
  /**
   * Encrypts data that the extension stores in its own files or tables, with a key of the site. Only this extension can decrypt it, and only
   * with the same `place` (such as a table and row) that was passed when encrypting. Settings marked `secret` are encrypted automatically.
   */
  readonly vault: Vault
  readonly site: ExtensionSite
  /** The slot before the application, for a page cache. */
  readonly front: Front
  readonly log: Logger
  /** Aborted when the extension is unloaded. */
  readonly signal: AbortSignal
  /** Like the global `fetch`, but aborted on unload. */
  readonly fetch: typeof fetch
  setTimeout(callback: () => void, milliseconds: number): Undo
  setInterval(callback: () => void, milliseconds: number): Undo
  /** Runs when the extension is unloaded, in reverse order of registration. */
  onDispose(cleanUp: () => void | Promise<void>): void
  /**
   * Adds a member to the `host` of all extensions, declared as an optional member of `ExtensionHost` by declaration merging. It
   * exists while this extension runs: read it when you need it, not in `setup`, since the order in which extensions start is undefined.
   *
   * @param service - An object of functions and values. Extensions get a frozen copy.
   * @returns a function that removes the member
   * @throws Error if `host` already has that member, when this is called or when the extension goes live
   * @example
   * ```ts
   * import { defineExtension } from 'pentad'
   *
   * declare module 'pentad' {
   *   interface ExtensionHost {
   *     readonly weather?: { today(city: string): string }
   *   }
   * }
   *
   * export default defineExtension({
   *   id: 'weather',
   *   name: 'Weather',
   *   version: '1.0.0',
   *   setup(host) {
   *     host.decorate('weather', { today: (city) => `Sunny in ${city}.` })
   *   },
   * })
   * ```
   */
  decorate<Name extends DecorationName>(name: Name, service: NonNullable<ExtensionHost[Name]>): Undo
}

/** Members of `host` that extensions add: the optional ones. */
export type DecorationName = {
  [Name in keyof ExtensionHost]-?: object extends Pick<ExtensionHost, Name> ? Name : never
}[keyof ExtensionHost]

/** Authentication and authorization. Parts of the product add members to it, or to `Auth`, by declaration merging. */
export interface ExtensionAuth extends Auth {}

/** The site and its software. Parts of the product add members by declaration merging. */
export interface ExtensionSite {
  /** Public origin, without a trailing slash. */
  readonly url: string
  /** Folder of the site. */
  readonly dir: string
  /** The additional extensions folder of the configuration (`PENTAD_EXTENSIONS_DIR`). */
  readonly extensionsDir: string | undefined
  readonly environment: 'local' | 'production'
  /** Whether the configuration allows page caching (`PENTAD_PAGE_CACHE`). */
  readonly pageCache: 'on' | 'off'
  /** Whether changes to code over HTTP are forbidden (`PENTAD_DISALLOW_FILE_MODS`). */
  readonly disallowFileMods: boolean
  /** The running software: `pentad 0.1.0` and each active extension with a hash of its code. When it changes, rendered pages may change. */
  software(): readonly string[]
  /**
   * Derives a 32-byte key for one purpose of this extension, deterministic and different for every extension: for tokens that only this
   * site can create. Do not encrypt data with it that must remain readable without `secret.key`.
   */
  key(purpose: string): Buffer
  /** Version of the host. */
  readonly hostVersion: string
}

export type ExtensionState = 'active' | 'inactive' | 'paused'

export interface ExtensionReport {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly description: string
  /** Whether it is one of the services, which are active until an administrator deactivates them. */
  readonly isService: boolean
  /** Whether it requires a license. */
  readonly pro: boolean
  readonly state: ExtensionState
  /** Why it is paused, or why its last activation or reload failed. */
  readonly reason: string | null
  /**
   * Whether it came with a backup that this site did not sign: it runs only after an administrator activated it and entered the current
   * password, or after `pentad extension activate`.
   */
  readonly isUntrusted: boolean
  /** Names of the hooks it has callbacks for. */
  readonly hooks: readonly string[]
  /** `GET /hello/v1/greeting` */
  readonly routes: readonly string[]
  readonly abilities: readonly string[]
  /** Names of its schedules, job types and queues. */
  readonly jobs: readonly string[]
  /** URLs of its admin pages. */
  readonly pages: readonly string[]
  /** Whether it has settings, updated with `PUT /host/v1/settings/{id}`. */
  readonly hasSettings: boolean
}
