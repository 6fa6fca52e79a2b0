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
import type { CreateFastLane } from './http/server.ts'
import type { CallLimits } from './http/time-limit.ts'
import type { Logger } from './log.ts'
import type { SiteInfo } from './options/site-info.ts'
import type { SiteKey } from './options/site-key.ts'
import type { RecordStorage } from './options/storage.ts'
import type { Options, OptionsStore, SettingsRegistry } from './options/types.ts'
import type { Owner } from './owner.ts'
import type { RestHost } from './rest/rest-host.ts'
import type { Rest } from './rest/types.ts'

/** The host of one site. Several hosts in one process are independent of each other. */
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
  /** Starts to accept requests; resolves to the address it listens on. */
  listen(): Promise<string>
  /** Finishes work in progress and closes everything; further calls do nothing. */
  close(): Promise<void>
}

/** The host during assembly, as parts such as the CMS receive it before any extension runs. */
export interface JoiningHost extends Omit<Host, 'auth' | 'database' | 'hooks' | 'rest' | 'listen' | 'close'> {
  readonly auth: HostAuth
  readonly database: SiteDatabase
  readonly options: OptionsStore
  readonly rest: RestHost
  /** The host's own view of the hooks: its callbacks are guarded like those of extensions. */
  readonly hooks: Hooks
  /** Callbacks and calls of every hook of the host. */
  readonly inspectHooks: HookRegistry['inspect']
  readonly reorderHooks: HookRegistry['reorder']
  /** The host itself, as the owner of what belongs to no extension. */
  readonly owner: Owner
  readonly siteKey: SiteKey
  /** Current title, time zone and so on. */
  readonly siteInfo: () => SiteInfo
  /** Time limits for code of extensions. */
  readonly callLimits: () => CallLimits
  /**
   * Adds settings to the settings record `host`.
   * @returns a function for the current settings, available once the host is assembled
   */
  addSettings<Shape extends z.ZodRawShape>(shape: Shape): () => z.output<z.ZodObject<Shape>>
  /** Adds members to the `host` of every extension; they are added to the `ExtensionHost` type by declaration merging. */
  addView(view: ExtensionView): void
  /** Adds a source of extensions, such as a folder. If two have the same id, the later source takes precedence. */
  addExtensions(source: ExtensionSource): void
  /** Runs when the extensions are known, before the first one starts. */
  onLoad(prepare: () => void | Promise<void>): void
  /** Sets the function that decides whether Pro routes and extensions may run; without one they never do. */
  useLicense(isActive: () => boolean): void
  /** Fixed paths of the site: `addresses.get('/feed.xml', …)`. They take precedence over `use`. */
  readonly addresses: FixedAddresses
  /** Adds middleware for all requests, before the host handles them. */
  useFirst(middleware: Koa.Middleware): void
  /** Adds middleware for requests that the host does not handle, in the order added. */
  use(middleware: Koa.Middleware): void
  /** Runs when the host starts to listen. */
  onListen(begin: () => void | Promise<void>): void
  /** Runs as soon as the host starts to close, while requests are still in progress. */
  onClosing(begin: () => void): void
  /** Runs when the host closes, in reverse order, before its extensions are unloaded. */
  onClose(end: () => void | Promise<void>): void
  /** Like `onClose`, after the extensions were unloaded. @param end - Receives the milliseconds left for closing. */
  onClosed(end: (left: number) => void | Promise<void>): void
}

export interface HostOptions<Joined extends object = object> {
  /** Replaces the global `fetch` for extensions. */
  readonly fetch?: typeof fetch
  /** `false` starts no extensions, for commands that must work even if an extension is broken. */
  readonly runExtensions?: boolean
  /** Runs only the services; the stored state of other extensions is preserved. */
  readonly safeMode?: boolean
  /** Destination of the log; default `stdout`. Commands that write their results there use `stderr`. */
  readonly logTo?: 'stdout' | 'stderr' | { write(line: string): void }
  /** Whether it will serve requests: `true` fails to start while another process blocks writes to the database. */
  readonly serves?: boolean
  /**
   * Milliseconds for which a closing host keeps idle connections open, so that clients that are about to send a request on them get a
   * response, which closes the connection, rather than an error. Default: 0.
   */
  readonly drain?: number
  /** Called when a closing host no longer listens, so that another server may do so on its port. */
  readonly onPortFree?: () => void
  /** Creates a handler that receives connections before Node's HTTP server does. Default: none. */
  readonly createFastLane?: CreateFastLane
  /** Cost of password hashing; lower in tests. */
  readonly passwordCost?: PasswordCost | undefined
  /** Extensions given as values, created with `defineExtension`: active until an administrator deactivates them. */
  readonly extensions?: readonly ExtensionDefinition[]
  /** Opens the options; by default the file `options.json` in the site folder. */
  readonly openRecords?: (database: Database, log: Logger) => Promise<RecordStorage>
  /** Adds further parts; what it returns becomes part of the host. */
  readonly join?: (host: JoiningHost) => Promise<Joined>
}
