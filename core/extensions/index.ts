import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import type { Config } from '../config.ts'
import { RestError } from '../errors.ts'
import { discoverExtensions, type Source } from './discover.ts'
import { createExtension, type Extension } from './extension.ts'
import './hooks.ts'
import { createKeptBuilds } from './kept-builds.ts'
import type { HostParts } from './scope.ts'
import { STATE_OPTION } from './state.ts'
import { createTraces } from './trace.ts'
import type { ExtensionReport } from './types.ts'
import { createWatcher, type Watcher } from './watch.ts'

export { readDefinition } from './definition.ts'
export type { HostParts } from './scope.ts'
export type * from './types.ts'

/** The extensions of a site. Operations on one extension happen one after the other. */
export interface ExtensionManager {
  /**
   * Finds all extensions and starts those that are active. One that fails is paused; the others go on.
   *
   * @param run - `false` starts none: for commands that must work whatever an extension does.
   */
  load(run?: boolean): Promise<void>
  /** Looks again for extensions that came or went. */
  discover(): Promise<void>
  /**
   * Takes in one extension from wherever it lies, a folder or a file; it wins over one of the same id in the folders.
   * Resolves to its id. @throws Error if there is none.
   */
  add(path: string): Promise<string>
  /** Sorted by id, as of the last look. */
  list(): ExtensionReport[]
  /** Those that run, sorted by id. */
  running(): Pick<ExtensionReport, 'id' | 'name'>[]
  /**
   * Switches an extension on; harmless if it is. Fires `activated_plugin`.
   * @throws RestError `extension_not_found`; `extension_failed` with the reason in `data.reason`, and then it is paused.
   */
  activate(id: string): Promise<ExtensionReport>
  /** Switches an extension off; harmless if it is. Fires `deactivated_plugin`. @throws RestError `extension_not_found` */
  deactivate(id: string): Promise<ExtensionReport>
  /**
   * Replaces the running version by the one on the disk, or starts a paused extension again.
   * @throws RestError `extension_not_found`; `extension_failed` with the reason, and then the old version runs on.
   */
  reload(id: string): Promise<ExtensionReport>
  /** From now on reloads an extension when one of its files is saved. */
  watch(): void
  /**
   * For the process's `unhandledRejection` and `uncaughtException`: whether an extension is to blame for the error. If
   * so it is counted like any throw of that extension, unless it comes of a version that is gone. It is logged either
   * way.
   */
  reportStray(error: unknown): boolean
  close(): Promise<void>
}

export interface ExtensionParts extends Omit<HostParts, 'software'> {
  readonly config: HostParts['config'] & Pick<Config, 'extensionsDir'>
  /** Folders of extensions that come with the product; the configured one and the site's own come after them. */
  readonly folders?: readonly string[]
  /** Which extensions are active until somebody switches them off. */
  readonly activeByDefault?: (source: Pick<Source, 'id' | 'folder'>) => boolean
}

export function createExtensions(parts: ExtensionParts): ExtensionManager {
  const { hooks, config, log } = parts
  const { folders = [], activeByDefault = () => false } = parts
  const places = {
    folders: [...folders, ...(config.extensionsDir ? [config.extensionsDir] : []), join(config.siteDir, 'extensions')],
    paths: new Set<string>(),
  }
  const traces = createTraces()
  const keptBuilds = createKeptBuilds({
    folder: join(config.siteDir, 'cache', 'extensions'),
    siteKey: parts.siteKey,
    productFolders: folders,
  })
  const extensions = new Map<string, Extension>()
  const warnedOf = new Set<string>()
  let face: object = {}
  let watcher: Watcher | undefined
  let started = false

  const sorted = () => [...extensions.values()].sort((a, b) => a.id.localeCompare(b.id, 'en'))
  const software = () => [`pentad ${packageJson.version}`, ...sorted().flatMap((extension) => extension.software ?? [])]
  /** While the host closes, its extensions go one after the other; nothing is shown any more that would be other. */
  let atClose: readonly string[] | undefined
  const host: HostParts = { ...parts, software: () => atClose ?? software() }
  const followAll = async () => {
    // In order, so that callbacks of one priority run in the same order after each start.
    for (const extension of sorted()) {
      await extension.follow()
      rewatch(extension)
    }
  }

  function warnOfTwins(used: Source, ignored: Source): void {
    const twins = `${used.entry}\n${ignored.entry}`
    if (warnedOf.has(twins)) return
    warnedOf.add(twins)
    log.warn({ extension: used.id, used: used.entry, ignored: ignored.entry }, 'two extensions have the same id')
  }

  // One look after the other: an older look must not take away what a newer one found.
  let looking: Promise<void> = Promise.resolve()
  function discover(): Promise<void> {
    const look = looking.then(lookAgain)
    looking = look.catch(() => {})
    return look
  }

  async function lookAgain(): Promise<void> {
    const sources = await discoverExtensions(places, { keptBuilds, warnOfTwins })
    for (const source of sources.values()) {
      const known = extensions.get(source.id)
      if (known) {
        known.source = source
        continue
      }
      const byDefault = activeByDefault(source) ? 'active' : 'inactive'
      extensions.set(
        source.id,
        createExtension(source, { host, traces, keptBuilds, face: () => face, onSwitch }, byDefault),
      )
    }
    for (const { id, running } of sorted()) if (!running && !sources.has(id)) extensions.delete(id)
  }

  function onSwitch(id: string): void {
    if (!started) return
    hooks
      .doActionAsync('extension_switched', id)
      .catch((error) => log.error({ err: error }, 'extension_switched failed'))
  }

  async function find(id: string): Promise<Extension> {
    await discover()
    const extension = extensions.get(id)
    if (extension) return extension
    throw new RestError('extension_not_found', 'No extension has that id.', { status: 404 })
  }

  async function orRefuse<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new RestError('extension_failed', `The extension failed: ${reason}`, { status: 409, reason })
    }
  }

  async function reload(id: string): Promise<ExtensionReport> {
    const extension = await find(id)
    try {
      await orRefuse(extension.reload())
    } finally {
      rewatch(extension)
    }
    return extension.report()
  }

  function rewatch(extension: Extension): void {
    watcher?.watch(extension.id, extension.files(), extension.source.folder)
  }

  // Another process, for example the command line, may switch extensions.
  const core = hooks.forOwner({
    id: 'core',
    signal: new AbortController().signal,
    onError: (error, hook) => log.error({ err: error, hook }, 'the extensions could not follow'),
    onUndefined: () => {},
  })

  return {
    async load(run = true) {
      // By its URL: core/index.ts stands above this folder, and must be the instance that everybody else has.
      face = await import(new URL('../index.ts', import.meta.url).href)
      await discover()
      if (!run) return
      await followAll()
      started = true
      // Not awaited: whoever writes the option would wait for itself.
      core.addAction('updated_option', (name) => {
        if (name !== STATE_OPTION) return
        discover()
          .then(followAll)
          .catch((error) => log.error({ err: error }, 'the extensions could not follow'))
      })
      core.addAction('license_changed', () => followAll())
    },
    discover,
    async add(path) {
      const found = await discoverExtensions({ folders: [], paths: [path] }, { keptBuilds, warnOfTwins })
      const [source] = found.values()
      if (!source) throw new Error(`${path} is not an extension: it has no index.ts.`)
      places.paths.add(path)
      await discover()
      return source.id
    },
    list: () => sorted().map((extension) => extension.report()),
    running: () => sorted().flatMap(({ id, name, running }) => (running ? { id, name } : [])),
    async activate(id) {
      const extension = await find(id)
      const changed = await orRefuse(extension.activate()).finally(() => rewatch(extension))
      if (changed) await hooks.doActionAsync('activated_plugin', id)
      return extension.report()
    },
    async deactivate(id) {
      const extension = await find(id)
      if (await extension.deactivate()) await hooks.doActionAsync('deactivated_plugin', id)
      return extension.report()
    },
    reload,
    watch() {
      watcher ??= createWatcher((id) => {
        const extension = extensions.get(id)
        if (!extension || (!extension.running && extension.report().state === 'inactive')) return
        reload(id).then(
          () => log.info({ extension: id }, 'extension reloaded'),
          () => {}, // Logged where it failed.
        )
      }, log)
      for (const extension of sorted()) rewatch(extension)
    },
    reportStray(error) {
      const culprit = traces.blame(error)
      if (!culprit) {
        log.error({ err: error }, 'an error that nobody caught')
        return false
      }
      const { extension, isRunning } = culprit
      if (isRunning) extensions.get(extension)?.noteError(error, 'code that nobody awaited')
      else log.error({ err: error, extension }, 'code of an unloaded version of an extension threw, it was passed over')
      return true
    },
    async close() {
      atClose = software()
      watcher?.close()
      core[Symbol.dispose]()
      for (const extension of sorted().reverse()) await extension.close()
      await keptBuilds.close()
    },
  }
}
