import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { RestError } from '../errors.ts'
import { discoverExtensions, missingSource, type Source } from './discover.ts'
import { createExtension, type Extension } from './extension.ts'
import type { Fault } from './fault.ts'
import { describeFault, takeFaults } from './faults.ts'
import type { ForeignCode } from './foreign-code.ts'
import { filterShapes } from './hooks.ts'
import { createKeptBuilds } from './kept-builds.ts'
import type { ExtensionManager, StackOwner } from './manager.ts'
import type { HostParts } from './scope.ts'
import { createServers } from './servers.ts'
import { readState, STATE_OPTION, storedIds } from './state.ts'
import type { Traces } from './trace.ts'
import type { ExtensionReport } from './types.ts'
import { createWatcher, type Watcher } from './watch.ts'

export { readDefinition } from './definition.ts'
export type { ExtensionManager, StackOwner } from './manager.ts'
export type { HostParts } from './scope.ts'
export type * from './types.ts'

/** Milliseconds that `setup` of an extension may take. */
const SETUP_TIME = 30_000
/** Milliseconds between looks whether the files of the running extensions are still there. */
const FILES_CHECK = 5_000

export interface ExtensionParts extends Omit<HostParts, 'software'> {
  readonly foreignCode: ForeignCode
  /** The log uses them as well. */
  readonly traces: Traces
  /** Folders of extensions that come with the product; the configured one and the site's own come after them. */
  readonly folders?: readonly string[]
  /** Which extensions are active until somebody switches them off. */
  readonly activeByDefault?: (source: Pick<Source, 'id' | 'folder'>) => boolean
  /** Milliseconds that `setup` may take; default 30 s. */
  readonly setupTimeout?: number
  /** Milliseconds between looks for deleted files; default 5 s. */
  readonly filesCheck?: number
  /** Whether only those run that are active by default. What is stored of the others stays. */
  readonly safeMode?: boolean
}

export function createExtensions(parts: ExtensionParts): ExtensionManager {
  const { hooks, config, log, foreignCode, options, traces } = parts
  hooks.declareFilters(filterShapes)
  const { folders = [], activeByDefault = () => false, setupTimeout = SETUP_TIME, filesCheck = FILES_CHECK } = parts
  const { safeMode = false } = parts
  const places = {
    folders: [...folders, ...(config.extensionsDir ? [config.extensionsDir] : []), join(config.siteDir, 'extensions')],
    paths: new Set<string>(),
  }
  const keptBuilds = createKeptBuilds({
    folder: join(config.siteDir, 'cache', 'extensions'),
    siteKey: parts.siteKey,
    productFolders: folders,
  })
  const extensions = new Map<string, Extension>()
  const servers = createServers(parts)
  const warnedOf = new Set<string>()
  let face: object = {}
  let watcher: Watcher | undefined
  let started = false
  let leaveServers: (() => Promise<void>) | undefined
  let checking: NodeJS.Timeout | undefined

  const sorted = () => [...extensions.values()].sort((a, b) => a.id.localeCompare(b.id, 'en'))
  const software = () => [`pentad ${packageJson.version}`, ...sorted().flatMap((extension) => extension.software ?? [])]
  /** While the host closes, its extensions go one after the other; nothing is shown any more that would be other. */
  let atClose: readonly string[] | undefined
  const host: HostParts = { ...parts, software: () => atClose ?? software() }
  const followAll = async () => {
    // In order, so that callbacks of one priority run in the same order after each start.
    for (const extension of sorted()) await follow(extension)
  }

  /** Extensions hear of it when another process has switched one. */
  async function follow(extension: Extension): Promise<void> {
    const switched = await extension.follow()
    rewatch(extension)
    if (switched === 'activated') await hooks.doActionAsync('activated_plugin', extension.id)
    if (switched === 'deactivated') await hooks.doActionAsync('deactivated_plugin', extension.id)
  }

  function followInBackground(extension: Extension): void {
    follow(extension).catch((error) => log.error({ err: error, extension: extension.id }, 'extension could not follow'))
  }

  function warnOfTwins(used: Source, ignored: Source): void {
    const twins = `${used.entry}\n${ignored.entry}`
    if (warnedOf.has(twins)) return
    warnedOf.add(twins)
    log.warn({ extension: used.id, used: used.entry, ignored: ignored.entry }, 'two extensions have the same id')
  }

  function warnOfMain({ id, entry, ignoredMain }: Source): void {
    const what = `${entry}\n${ignoredMain}`
    if (!warnedOf.has(what))
      log.warn({ extension: id, main: ignoredMain, used: entry }, 'main of package.json is missing')
    warnedOf.add(what)
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
    for (const id of [...storedIds(options), ...extensions.keys()]) {
      if (sources.has(id)) continue
      const known = extensions.get(id)
      const isWanted = known?.running || (readState(options, id)?.state ?? 'inactive') !== 'inactive'
      // A file that cannot be read now does not say its id.
      if (isWanted && !(known && existsSync(known.source.entry))) sources.set(id, missingSource(id))
      if (!isWanted) extensions.delete(id)
    }
    for (const source of sources.values()) {
      if (source.ignoredMain !== undefined) warnOfMain(source)
      const known = extensions.get(source.id)
      const wasGone = known?.isGone
      if (known) known.source = source
      const extension = known ?? add(source)
      if (started && known && known.isGone !== wasGone) followInBackground(extension)
    }
  }

  function add(source: Source): Extension {
    const byDefault = activeByDefault(source) ? 'active' : 'inactive'
    const own = { face: () => face, onSwitch, setupTimeout, safeMode, foreignCode }
    const extension = createExtension(source, { host, traces, keptBuilds, ...own }, byDefault, started)
    extensions.set(source.id, extension)
    return extension
  }

  /** Deleting the files of an extension stops it; putting them back starts it. */
  async function checkFiles(): Promise<void> {
    const isOther = ({ running, isGone, source }: Extension) => isGone || (running && !existsSync(source.entry))
    if (sorted().some(isOther)) await discover()
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

  async function reload(id: string, isNewer = false): Promise<ExtensionReport> {
    const extension = await find(id)
    try {
      await orRefuse(extension.reload(isNewer))
    } finally {
      rewatch(extension)
    }
    return extension.report()
  }

  async function pauseAfter(fault: Fault): Promise<void> {
    log.error(fault, 'the last process of the site was ended')
    if (fault.extension !== null) await extensions.get(fault.extension)?.pause(describeFault(fault))
  }

  function ownerOfStack(stack: string): StackOwner | undefined {
    const frame = traces.topmost(stack)
    if (!frame) return undefined
    const extension = extensions.get(frame.extension)
    const folder = extension && dirname(dirname(extension.source.entry))
    const place = frame.place && folder ? `${relative(folder, frame.place.file)}:${frame.place.line}` : null
    return { extension: frame.extension, isService: extension?.report().isService ?? false, place }
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
    safeMode,
    async load(run = true) {
      // By its URL: core/index.ts stands above this folder, and must be the instance that everybody else has.
      face = await import(new URL('../index.ts', import.meta.url).href)
      await discover()
      await takeFaults(config.siteDir, pauseAfter)
      await foreignCode.switchOff(sorted(), options)
      if (!run) {
        for (const extension of sorted()) extension.keepClosed()
        return
      }
      await followAll()
      started = true
      checking = setInterval(() => {
        checkFiles().catch((error) => log.error({ err: error }, 'the files of the extensions could not be checked'))
      }, filesCheck).unref()
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
      if (!started) {
        if (await servers.ask(id, 'active', 2 * setupTimeout))
          return { ...extension.report(), state: 'active', reason: null }
        // As in a server: the extension is set up among the others.
        await followAll()
      }
      const changed = await orRefuse(extension.activate()).finally(() => rewatch(extension))
      if (changed) await hooks.doActionAsync('activated_plugin', id)
      return extension.report()
    },
    async deactivate(id) {
      const extension = await find(id)
      if (!started && (await servers.ask(id, 'inactive', setupTimeout))) {
        return { ...extension.report(), state: 'inactive', reason: null }
      }
      if (await extension.deactivate()) await hooks.doActionAsync('deactivated_plugin', id)
      return extension.report()
    },
    reload: (id) => reload(id),
    serve() {
      leaveServers ??= servers.announce()
    },
    watch() {
      watcher ??= createWatcher((id) => {
        const extension = extensions.get(id)
        if (!extension || (!extension.running && extension.report().state === 'inactive')) return
        reload(id, true).then(
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
    ownerOfStack,
    reportExit(what) {
      const call = new Error(`${what} was called`)
      const place = ownerOfStack(call.stack ?? '')?.place
      const culprit = traces.blame(call)
      if (!culprit) return false
      const { extension } = culprit
      log.error({ err: call, extension }, 'an extension tried to end the process')
      void extensions.get(extension)?.pause(`It tried to end the whole site: ${what}${place ? ` (${place})` : ''}.`)
      return true
    },
    async close() {
      atClose = software()
      watcher?.close()
      clearInterval(checking)
      await leaveServers?.()
      core[Symbol.dispose]()
      for (const extension of sorted().reverse()) await extension.close()
      await keptBuilds.close()
    },
  }
}
