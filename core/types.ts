import type Koa from 'koa'
import type { z } from 'zod'
import type { HostAuth } from './auth/host-auth.ts'
import type { PasswordCost } from './auth/password-hash.ts'
import type { CoreAuth } from './auth/types.ts'
import type { Config } from './config.ts'
import type { Database, SiteDatabase } from './database/index.ts'
import type { ExtensionView } from './extensions/context.ts'
import type { ExtensionManager } from './extensions/manager.ts'
import type { ExtensionSource } from './extensions/source.ts'
import type { ExtensionDefinition } from './extensions/types.ts'
import type { HookRegistry, Hooks } from './hooks/types.ts'
import type { Front } from './http/front.ts'
import type { Maintenance } from './http/maintenance.ts'
import type { FixedAddresses } from './http/router.ts'
import type { CallLimits } from './http/time-limit.ts'
import type { Logger } from './log.ts'
import type { SiteInfo } from './options/site-info.ts'
import type { SiteKey } from './options/site-key.ts'
import type { Options, SettingsRegistry } from './options/types.ts'
import type { Owner } from './owner.ts'
import type { RestHost } from './rest/rest-host.ts'
import type { Rest } from './rest/types.ts'

/** The host of one site in one object. Two of them in one process do not see each other. */
export interface Host {
  readonly config: Config
  readonly log: Logger
  readonly hooks: HookRegistry
  readonly options: Options
  readonly settings: SettingsRegistry
  readonly database: Database
  readonly auth: CoreAuth
  readonly rest: Rest
  readonly front: Front
  readonly extensions: ExtensionManager
  readonly maintenance: Maintenance
  /** Starts to take requests; resolves to the address it listens on. */
  listen(): Promise<string>
  /** Finishes what is under way and closes everything; calling it twice is harmless. */
  close(): Promise<void>
}

/** The host while it is put together, for what joins it before any extension runs: the CMS is such a part. */
export interface JoiningHost extends Omit<Host, 'auth' | 'database' | 'hooks' | 'rest' | 'listen' | 'close'> {
  readonly auth: HostAuth
  readonly database: SiteDatabase
  readonly rest: RestHost
  /** The host's own view: its callbacks are guarded as those of extensions are. */
  readonly hooks: Hooks
  /** What every hook of the host has registered and done. */
  readonly inspectHooks: HookRegistry['inspect']
  /** The host itself, for what belongs to no extension. */
  readonly owner: Owner
  readonly siteKey: SiteKey
  /** Title, time zone and so on, as they are now. */
  readonly siteInfo: () => SiteInfo
  /** How long code of extensions is waited for. */
  readonly callLimits: () => CallLimits
  /**
   * Adds settings to the record `host` of the host.
   * @returns what is set now, once the host is put together
   */
  addSettings<Shape extends z.ZodRawShape>(shape: Shape): () => z.output<z.ZodObject<Shape>>
  /** Gives every extension members of `host`, which are added to the type `ExtensionHost` by declaration merging. */
  addView(view: ExtensionView): void
  /** Adds extensions, for example of a folder. Of two with the same id the one of the later source counts. */
  addExtensions(source: ExtensionSource): void
  /** Runs when the extensions are known, before the first one starts. */
  onLoad(prepare: () => void | Promise<void>): void
  /** Says whether Pro routes and extensions that need a license may run now; without it they never do. */
  useLicense(isActive: () => boolean): void
  /** The fixed addresses of the site: `addresses.get('/feed.xml', …)`. They go before `use`. */
  readonly addresses: FixedAddresses
  /** Answers what the host does not, in the order in which it was added, or passes it on. */
  use(middleware: Koa.Middleware): void
  /** Runs when the host begins to listen. */
  onListen(begin: () => void | Promise<void>): void
  /** Runs as soon as the host begins to close, while requests are still in progress. */
  onClosing(begin: () => void): void
  /** Runs when the host closes, in reverse order, before its extensions go. */
  onClose(end: () => void | Promise<void>): void
  /** As `onClose`, after its extensions went. @param end - Gets the milliseconds that are left for closing. */
  onClosed(end: (left: number) => void | Promise<void>): void
}

export interface HostOptions<Joined extends object = object> {
  /** Takes the place of the global `fetch` that extensions get. */
  readonly fetch?: typeof fetch
  /** `false` starts no extension, for commands that must work whatever one does. */
  readonly runExtensions?: boolean
  /** Runs the services only; what is stored of all other extensions stays. */
  readonly safeMode?: boolean
  /** Default: `stdout`. The standard output of a command is its result. */
  readonly logTo?: 'stdout' | 'stderr'
  /** `true` does not start while another process keeps the database from being written to. */
  readonly serves?: boolean
  /** What hashing a password costs; tests are cheaper. */
  readonly passwordCost?: PasswordCost | undefined
  /** Extensions of the product, made with `defineExtension`: active until an administrator deactivates them. */
  readonly extensions?: readonly ExtensionDefinition[]
  /** Joins further parts; what it answers becomes a part of the host. */
  readonly join?: (host: JoiningHost) => Promise<Joined>
}
