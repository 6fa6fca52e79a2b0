import type { AskedPermissions, Isolation, Sandboxes } from '../../cms/sandbox/index.ts'
import type { Config } from '../../core/config.ts'
import type { ExtensionManager } from '../../core/extensions/manager.ts'
import type { ExtensionSource } from '../../core/extensions/source.ts'
import type { Logger } from '../../core/log.ts'
import type { SiteKey } from '../../core/options/site-key.ts'
import type { Options } from '../../core/options/types.ts'
import type { SharedCode } from '../shared-code/index.ts'
import type { Source } from './discover.ts'
import type { Traces } from './trace.ts'

/** Finds extensions in folders and loads them: TypeScript and JavaScript, bundled when they start. */
export interface Loader extends Required<ExtensionSource> {
  readonly traces: Traces
  /** Whether an extension runs in a sandbox, and where it says that it can run, as of the last scan. */
  isolationOf(id: string): { readonly isSandboxed: boolean; readonly isolation: Isolation }
  /** What a version of an extension asks an administrator for. @throws Error if it cannot be bundled or its manifest is invalid */
  ask(source: Source): Promise<AskedPermissions>
  /** The extension that a stack of a process that ended begins in, and the author's file and line. */
  findCrashed(stack: string): Promise<{ readonly extension: string; readonly place: string | null } | undefined>
  /** Reads an extension in a folder that is not one of the site's, and says why it cannot run. @throws Error if there is none */
  inspect(folder: string): Promise<{ readonly source: Source; readonly problem: string | null }>
  /** An extension of the last scan. */
  find(id: string): Source | undefined
  /**
   * The extensions that should be running and require this one, and the range of versions that each accepts. Those that this one requires
   * too are not included, because neither could be deactivated.
   */
  dependents(id: string): readonly { readonly id: string; readonly range: string }[]
  /** Which requirement of an extension is not met, as a sentence. */
  unmet(id: string): Promise<string | undefined>
  /**
   * Makes an extension in the site's folder available to the other nodes of the site. Call it before it is activated or reloaded.
   * @throws RestError `package_invalid` if it exceeds the limits of packages
   */
  share(id: string): Promise<void>
  /** The extensions in these entries of the site's folder, as of the last scan. */
  idsOf(names: readonly string[]): readonly string[]
  /** Starts reloading an extension when one of its files is saved. */
  watch(extensions: Pick<ExtensionManager, 'list' | 'reload'>): void
  /** Caches V8's code of the running extensions, so that the next start does not compile the functions that this one has called. */
  cacheCompiled(): void
  close(): Promise<void>
}

export interface LoaderParts {
  readonly config: Pick<Config, 'siteDir' | 'extensionsDir'>
  readonly siteKey: SiteKey
  readonly options: Options
  readonly log: Logger
  /** Of a site with several nodes. */
  readonly sharedCode?: Pick<SharedCode, 'pull' | 'push'> | undefined
  readonly sandboxes: Pick<Sandboxes, 'ask' | 'bundle' | 'define' | 'isSandboxed' | 'leave'>
  /** The module that extensions import as `pentad`: the product's own instance. */
  publicApi(): Promise<object>
  /** Folders of extensions that come with the product; the configured folder and the site's own follow, and take precedence. */
  readonly folders: readonly string[]
  /** Which of them are services. */
  readonly isService: (source: Pick<Source, 'id' | 'folder'>) => boolean
}
