import type { z } from 'zod'
import type { CurrentUser } from '../auth/current-user.ts'
import type { Auth } from '../auth/types.ts'
import type { Hooks, Undo } from '../hooks/types.ts'
import type { Front } from '../http/front.ts'
import type { Logger } from '../log.ts'
import type { Options, Settings, Vault } from '../options/types.ts'
import type { Rest, RouteSet } from '../rest/types.ts'

/** What an extension's file exports as default, made with `defineExtension`. */
export interface ExtensionDefinition {
  /** Lower-case letters, digits and hyphens; unique on the site. */
  readonly id: string
  readonly name: string
  /** Semantic version. */
  readonly version: string
  readonly description?: string
  /** Runs only with an active license. */
  readonly pro?: boolean
  /** Registers everything; what it registers through `host` is undone when the extension goes. */
  setup(host: ExtensionHost): void | Promise<void>
}

/**
 * What an extension gets: the registries of the host, seen through a view that records what goes
 * through it. Deactivating, reloading or a crash in `setup` undoes all of it. Parts of the product add members to it by
 * declaration merging, and make them as an `ExtensionView`.
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
    /** Declares the record `<id>_settings`, written over `PUT /host/v1/settings/<id>`. */
    register<Schema extends z.ZodObject>(schema: Schema): Settings<Schema>
  }
  readonly options: Options
  readonly auth: ExtensionAuth
  /**
   * Encrypts what the extension stores in files or tables of its own and nobody else may read, with a key of the site. A
   * value opens only for this extension, in the place that it was sealed for. Settings marked `secret` need it not.
   */
  readonly vault: Vault
  readonly site: ExtensionSite
  /** The slot before the application, for a page cache. */
  readonly front: Front
  readonly log: Logger
  /** Fires when the extension is unloaded. */
  readonly signal: AbortSignal
  /** As the global `fetch`, aborted on unload. */
  readonly fetch: typeof fetch
  setTimeout(callback: () => void, milliseconds: number): Undo
  setInterval(callback: () => void, milliseconds: number): Undo
  /** Runs when the extension is unloaded, in reverse order of registration. */
  onDispose(cleanUp: () => void | Promise<void>): void
  /**
   * Adds a member to the `host` of all extensions, declared as an optional member of `ExtensionHost` by declaration merging. It is
   * there while this extension runs: read it when you need it, not in `setup`, since extensions start in any order.
   *
   * @param service - An object of functions and values. Extensions get a frozen copy.
   * @returns undoes it
   * @throws Error if `host` has such a member, when this is called or when the extension goes live
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

/** Who may do what. Parts of the product add members to it, or to `Auth`, by declaration merging. */
export interface ExtensionAuth extends Auth {}

/** The site and what runs on it. Parts of the product add members to it by declaration merging. */
export interface ExtensionSite {
  /** Public origin, without a slash at the end. */
  readonly url: string
  /** Folder of the site. */
  readonly dir: string
  /** The further folder of extensions that the configuration names (`PENTAD_EXTENSIONS_DIR`). */
  readonly extensionsDir: string | undefined
  readonly environment: 'local' | 'production'
  /** Whether the configuration of the process lets pages be cached (`PENTAD_PAGE_CACHE`). */
  readonly pageCache: 'on' | 'off'
  /** Whether no request over HTTP may change the code of the site (`PENTAD_DISALLOW_FILE_MODS`). */
  readonly disallowFileMods: boolean
  /** What runs now: `pentad 0.1.0` and each active extension with a hash of its code. Different code, other pages. */
  software(): readonly string[]
  /**
   * A secret of 32 bytes for one purpose of this extension, always the same and no other extension's: for tokens that
   * only this site can have made. Not for keeping things secret that must outlive a lost `secret.key`.
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
  /** Whether it is one of the services, which are active until somebody switches them off. */
  readonly isService: boolean
  /** Whether it needs a license. */
  readonly pro: boolean
  readonly state: ExtensionState
  /** Why it is paused, or why its last activation or reload failed. */
  readonly reason: string | null
  /**
   * Whether it came with a backup that this site did not sign: it runs only after an administrator activated it and gave
   * the current password, or after `pentad extension activate`.
   */
  readonly isForeign: boolean
  /** Names of the hooks it listens to. */
  readonly hooks: readonly string[]
  /** `GET /hello/v1/greeting` */
  readonly routes: readonly string[]
  readonly abilities: readonly string[]
  /** Names of its schedules, types of job and queues. */
  readonly jobs: readonly string[]
  /** Addresses of its pages in the admin. */
  readonly pages: readonly string[]
  /** Whether it has settings, which `PUT /host/v1/settings/{id}` writes. */
  readonly hasSettings: boolean
}
