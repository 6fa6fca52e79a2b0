import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { RestError } from '../errors.ts'
import { CLOSE_GRACE } from '../http/closing-time.ts'
import { coreOwner } from '../owner.ts'
import { createBlame } from './blame.ts'
import { type CoreParts, coreView } from './core-view.ts'
import type { Source } from './discover.ts'
import { createExtension, type Extension } from './extension.ts'
import { takeFaults } from './faults.ts'
import { createForeignExtensions } from './foreign.ts'
import type { ForeignCode } from './foreign-code.ts'
import { filterShapes } from './hooks.ts'
import { createKeptBuilds } from './kept-builds.ts'
import type { ExtensionManager } from './manager.ts'
import { createRoster } from './roster.ts'
import { running } from './running-code.ts'
import type { HostParts } from './scope.ts'
import { createServers } from './servers.ts'
import { STATE_OPTION } from './state.ts'
import type { Traces } from './trace.ts'
import type { ExtensionReport } from './types.ts'
import { createWatcher, type Watcher } from './watch.ts'

export { readDefinition } from './definition.ts'
export type { ExtensionManager, StackOwner } from './manager.ts'
export type * from './types.ts'

/** Milliseconds that `setup` of an extension may take. */
const SETUP_TIME = 30_000
/** Milliseconds between looks whether the files of the running extensions are still there, and whether a command fell over one. */
const FILES_CHECK = 5_000

export interface ExtensionParts extends HostParts, Omit<CoreParts, 'hostVersion' | 'software'> {
  /** Marks in the site's own folder of extensions. */
  readonly foreignCode: ForeignCode
  /** The log uses them as well. */
  readonly traces: Traces
  /** What extensions import as `pentad`: the very instance that the product has. */
  face(): Promise<object>
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
  const { hooks, config, log, options, traces } = parts
  hooks.declareFilters(filterShapes)
  const { folders = [], activeByDefault = () => false, setupTimeout = SETUP_TIME, filesCheck = FILES_CHECK } = parts
  const { safeMode = false } = parts
  const keptBuilds = createKeptBuilds({
    folder: join(config.siteDir, 'cache', 'extensions'),
    siteKey: parts.siteKey,
    productFolders: folders,
  })
  const servers = createServers(parts)
  const foreign = createForeignExtensions(parts.foreignCode, options)
  const roster = createRoster({
    folders: [...folders, ...(config.extensionsDir ? [config.extensionsDir] : []), join(config.siteDir, 'extensions')],
    keptBuilds,
    options,
    log,
    foreign,
    create(source) {
      const byDefault = activeByDefault(source) ? 'active' : 'inactive'
      const isService = byDefault === 'active'
      const noteErrorOf = (id: string, error: unknown, where: string) => roster.get(id)?.noteError(error, where)
      const own = { face: parts.face, onSwitch, noteErrorOf, setupTimeout, safeMode, foreign, isService, aroundLoading }
      return createExtension(source, { host, traces, keptBuilds, ...own }, byDefault, started)
    },
    onFiles(extension) {
      if (!started) return
      follow(extension).catch((error) =>
        log.error({ err: error, extension: extension.id }, 'extension could not follow'),
      )
    },
  })
  const { reportFault, ...blame } = createBlame(traces, roster.get, { log, options, list: roster.list, keptBuilds })
  let around = <Result>(load: () => Result): Result => load()
  const aroundLoading = <Result>(load: () => Result): Result => around(load)
  let watcher: Watcher | undefined
  let started = false
  let leaveServers: (() => Promise<void>) | undefined
  let checking: NodeJS.Timeout | undefined

  const software = () => [
    `pentad ${packageJson.version}`,
    ...roster.list().flatMap((extension) => extension.software ?? []),
  ]
  /** While the host closes, its extensions go one after the other; nothing is shown any more that would be other. */
  let atClose: readonly string[] | undefined
  const core = { ...parts, hostVersion: packageJson.version, software: () => atClose ?? software() }
  const view = coreView(core)
  const host: HostParts & CoreParts = {
    ...core,
    // Parts join the host later than it makes this.
    get views() {
      return [view, ...parts.views]
    },
  }
  const followAll = async () => {
    // In order, so that callbacks of one priority run in the same order after each start.
    for (const extension of roster.list()) await follow(extension)
  }

  /** Extensions hear of it when another process has switched one. */
  async function follow(extension: Extension): Promise<void> {
    const switched = await extension.follow()
    rewatch(extension)
    if (switched === 'activated') await hooks.doActionAsync('activated_plugin', extension.id)
    if (switched === 'deactivated') await hooks.doActionAsync('deactivated_plugin', extension.id)
  }

  function onSwitch(id: string): void {
    if (!started) return
    hooks
      .doActionAsync('extension_switched', id)
      .catch((error) => log.error({ err: error }, 'extension_switched failed'))
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
    const extension = await roster.find(id)
    try {
      await orRefuse(extension.reload(isNewer))
    } finally {
      rewatch(extension)
    }
    return extension.report()
  }

  function rewatch(extension: Extension): void {
    watcher?.watch(extension.id, extension.files(), extension.source.folder)
  }

  // Another process, for example the command line, may switch extensions.
  const own = hooks.forOwner(
    coreOwner((error, hook) => log.error({ err: error, hook }, 'the extensions could not follow')),
  )

  return {
    safeMode,
    async load(run = true) {
      await roster.discover()
      await takeFaults(config.siteDir, reportFault)
      await foreign.switchOff(roster.list())
      if (!run) {
        for (const extension of roster.list()) extension.keepClosed()
        return
      }
      await followAll()
      started = true
      checking = setInterval(() => {
        roster
          .checkFiles()
          .then(() => takeFaults(config.siteDir, reportFault))
          .catch((error) => log.error({ err: error }, 'the extensions could not be checked'))
      }, filesCheck).unref()
      // Not awaited: whoever writes the option would wait for itself.
      own.addAction('updated_option', (name) => {
        if (name !== STATE_OPTION) return
        roster
          .discover()
          .then(followAll)
          .catch((error) => log.error({ err: error }, 'the extensions could not follow'))
      })
      own.addAction('license_changed', () => followAll())
    },
    discover: roster.discover,
    add: roster.add,
    list: () => roster.list().map((extension) => extension.report()),
    running: () => roster.list().flatMap(({ id, name, running }) => (running ? { id, name } : [])),
    async activate(id, confirm) {
      const extension = await roster.find(id)
      if (extension.source.isForeign) {
        await confirm?.()
        await foreign.trust(extension.source)
        await roster.discover()
      }
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
      const extension = await roster.find(id)
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
        const extension = roster.get(id)
        if (!extension || (!extension.running && extension.report().state === 'inactive')) return
        reload(id, true).then(
          () => log.info({ extension: id }, 'extension reloaded'),
          () => {}, // Logged where it failed.
        )
      }, log)
      for (const extension of roster.list()) rewatch(extension)
    },
    ...blame,
    caller() {
      const origin = traces.origin()
      const number = running[0] || origin?.number
      if (!number) return undefined
      return { number, what: hooks.currentFilter() || (origin?.number === number && origin.what?.()) || null }
    },
    aroundLoading(given) {
      around = given
    },
    warnOfCalls(message) {
      for (const extension of roster.list()) {
        const calls = extension.inProgress()
        if (calls.length > 0) log.warn({ extension: extension.id, calls }, message)
      }
    },
    async close(left = () => CLOSE_GRACE) {
      atClose = software()
      watcher?.close()
      clearInterval(checking)
      await leaveServers?.()
      own[Symbol.dispose]()
      for (const extension of roster.list().reverse()) await extension.close(left)
      await keptBuilds.close()
    },
  }
}
