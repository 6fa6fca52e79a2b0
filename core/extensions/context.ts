import type { Hooks, Undo } from '../hooks/types.ts'
import type { Owner, Staged } from '../owner.ts'
import type { InFlight } from './in-flight.ts'
import type { OwnContext } from './origin.ts'
import type { ExtensionHost } from './types.ts'

/** Kinds of named registrations in an extension's report. */
export type NamedKind = 'abilities' | 'jobs' | 'pages' | 'settings'

/** One version of an extension, as seen by the parts of the host that create its `host`. */
export interface ExtensionContext {
  readonly id: string
  /** Whether it is one of the services. */
  readonly isService: boolean
  /** Receives its errors; its signal is aborted when the version is unloaded. */
  readonly owner: Owner
  /** Its own view of the hooks, which removes its callbacks with it. */
  readonly hooks: Hooks
  /** Tracks calls into its code: teardown waits for them. */
  readonly inFlight: InFlight
  /** The async context in which its code runs. */
  readonly run: OwnContext['run']
  /**
   * Registers something in a registry without staging. Takes effect when the version goes live, replacing the registrations of the running
   * version, and ends when it is undone or the version is unloaded.
   *
   * @throws Error if the version was unloaded
   */
  declare(apply: () => Undo): Undo
  /** Adds a name to the extension's report until undone. */
  list(kind: NamedKind, name: string, undo: Undo): Undo
  /** Adds a staged registry, which is committed when the version goes live, replacing the running version's registry of the same name. */
  stage(name: string, registry: Staged): void
  /** Calls this when the version is unloaded, before its own cleanup. */
  onWithdraw(undo: Undo): void
}

/** Members of `host` that one part provides; several parts can provide members of `auth` and `site`. */
export interface ExtensionMembers extends Partial<Omit<ExtensionHost, 'auth' | 'site'>> {
  readonly auth?: Partial<ExtensionHost['auth']>
  readonly site?: Partial<ExtensionHost['site']>
}

/**
 * Creates the members of `host` that a part of the product provides to each extension. The part adds them to the `ExtensionHost` type
 * (and `Auth`, `ExtensionSite`) by declaration merging. Registrations made through them must be undone with the version: use `declare`,
 * `stage` or `onWithdraw` of the context.
 */
export type ExtensionView = (extension: ExtensionContext) => ExtensionMembers
