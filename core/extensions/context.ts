import type { Hooks, Undo } from '../hooks/types.ts'
import type { Owner, Staged } from '../owner.ts'
import type { InFlight } from './in-flight.ts'
import type { OwnContext } from './origin.ts'
import type { ExtensionHost } from './types.ts'

/** What an extension registers under names, for its report. */
export type NamedKind = 'abilities' | 'jobs' | 'pages' | 'settings'

/** One version of an extension, for the parts of the host that make what it gets of them. */
export interface ExtensionContext {
  readonly id: string
  /** Whether it is a part of the product. */
  readonly isService: boolean
  /** Told what goes wrong; its signal fires when the version is unloaded. */
  readonly owner: Owner
  /** Its own view of the hooks: callbacks go with it. */
  readonly hooks: Hooks
  /** Counts calls of its code, so that it is not torn down beneath them. */
  readonly inFlight: InFlight
  /** Where its code runs. */
  readonly run: OwnContext['run']
  /**
   * Registers something in a registry that knows no staging: when the version goes live, in place of what the running
   * version registered there, until it is undone or the version goes.
   *
   * @throws Error if the version was unloaded
   */
  declare(apply: () => Undo): Undo
  /** Lists a name in the extension's report until undone. */
  list(kind: NamedKind, name: string, undo: Undo): Undo
  /** Commits a registry of its own when the version goes live, in place of what the running version staged by that name. */
  stage(name: string, registry: Staged): void
  /** Calls this when the version goes, before its own clean-up. */
  onWithdraw(undo: Undo): void
}

/** Members of `host` that a part gives; of `auth` and `site` several parts give members. */
export interface ExtensionMembers extends Partial<Omit<ExtensionHost, 'auth' | 'site'>> {
  readonly auth?: Partial<ExtensionHost['auth']>
  readonly site?: Partial<ExtensionHost['site']>
}

/**
 * What a part of the host gives each extension: members of `host`, which the part adds to the type `ExtensionHost` (and
 * `Auth`, `ExtensionSite`) by declaration merging. What is registered through them has to go with the version;
 * `extension` has what that takes.
 */
export type ExtensionView = (extension: ExtensionContext) => ExtensionMembers
