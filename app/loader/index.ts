import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createUntrustedCode } from '../../cms/untrusted-code.ts'
import type { AvailableExtension, ExtensionCode } from '../../core/extensions/source.ts'
import { readState } from '../../core/extensions/state.ts'
import type { JoiningHost } from '../../core/types.ts'
import type { SharedCode } from '../shared-code/index.ts'
import { createBuildCache } from './build-cache.ts'
import { type Bundle, bundleExtension, bundleForSandbox, isBundleOf, sourceMapOf } from './bundle.ts'
import { discoverExtensions, explainNoEntry, inspectExtension, type Source } from './discover.ts'
import { evaluateBundle } from './evaluate.ts'
import { lifecycleView } from './extension-view.ts'
import { followRequirements } from './follow-requirements.ts'
import { framesOf } from './frames.ts'
import { checkReadFirst } from './metadata.ts'
import { unmetRequirement } from './requirements.ts'
import { createTraces, placeIn, shownPath } from './trace.ts'
import type { Loader, LoaderParts } from './types.ts'
import { createWatcher, type Watcher } from './watch.ts'

export type { Source } from './discover.ts'
export { inspectExtension } from './discover.ts'
export { lifecycleView } from './extension-view.ts'
export { framesOf, mapFrames } from './frames.ts'
export { permissionsInput, registerExtensionRoutes } from './routes.ts'
export { createServers, joinServers, type Servers } from './servers.ts'
export type { Loader, LoaderParts } from './types.ts'

/** Interval of checks whether the files of the running extensions still exist, in ms. */
const FILES_CHECK = 5_000

/** Time in ms after the start in which code is called that every start calls, so that its compiled form is worth caching. */
const FIRST_REQUESTS = 1000

/** Why an extension that came with another site's backup is not active. */
const UNTRUSTED = 'It was restored from a backup that this site did not sign. Review its code before you activate it.'

export function createLoader(parts: LoaderParts): Loader {
  const { config, siteKey, options: stored, log, sandboxes, publicApi, folders: own, isService, sharedCode } = parts
  const siteFolder = join(config.siteDir, 'extensions')
  const folders = [...own, ...(config.extensionsDir ? [config.extensionsDir] : []), siteFolder]
  const untrustedCode = createUntrustedCode(siteFolder)
  const builds = createBuildCache({
    folder: join(config.siteDir, 'cache', 'extensions'),
    siteKey,
    productFolders: own,
  })
  const traces = createTraces()
  const paths = new Set<string>()
  const warnedOf = new Set<string>()
  let found: ReadonlyMap<string, Source> = new Map()
  /** Of the version that was bundled last. */
  const filesOf = new Map<string, readonly string[]>()
  /** By extension, writes the compiled code of the running version, if that was not cached. */
  const notCached = new Map<string, () => void>()
  /** Whether compiled code is still to be written: each entry retains the code that it writes. */
  let cachesCompiled = true
  let watcher: Watcher | undefined

  function warnOnce(fields: Record<string, string | undefined>, message: string): void {
    const warning = JSON.stringify([message, fields])
    if (!warnedOf.has(warning)) log.warn(fields, message)
    warnedOf.add(warning)
  }

  const options = {
    builds,
    warnOfTwins: (used: Source, ignored: Source) =>
      warnOnce({ extension: used.id, used: used.entry, ignored: ignored.entry }, 'duplicate extension id'),
  }

  // `main` in its package.json may point outside of its folder.
  const isUntrusted = ({ entry, folder }: Source) => untrustedCode.covers(entry, folder ?? entry)

  async function describe(source: Source): Promise<AvailableExtension> {
    const { id, name, version, description, pro, entry, folder, ignoredMain } = source
    if (ignoredMain !== undefined) {
      warnOnce({ extension: id, main: ignoredMain, used: entry }, 'main of package.json is missing')
    }
    const needsTrust = await isUntrusted(source)
    return {
      ...{ id, name, version, description, pro, isService: isService(source) },
      problem: needsTrust ? UNTRUSTED : source.problem,
      trust: needsTrust ? () => untrustedCode.trust(entry, folder ?? entry) : undefined,
      exists: () => existsSync(entry),
      load: (isActivation = false) => load(source, isActivation),
    }
  }

  /** The version of an installed extension, and whether it should be running. */
  function activeVersion(id: string) {
    const source = found.get(id)
    if (!source) return undefined
    const state = readState(stored, id)?.state ?? (isService(source) ? 'active' : 'inactive')
    return { version: source.version, isActive: state === 'active' }
  }

  async function load(source: Source, isActivation: boolean): Promise<ExtensionCode> {
    const { id, entry, isolation } = source
    // Checked again: a restore may have created it since the scan.
    if (await isUntrusted(source)) throw new Error(UNTRUSTED)
    const unmet = await unmetRequirement(source, activeVersion)
    if (unmet !== undefined) throw new Error(unmet)
    if (isActivation) await share(source)
    // Even if it cannot be bundled: it may be fixed later.
    watchFiles(source)
    const isSandboxed = sandboxes.isSandboxed(id, isolation)
    if (!isSandboxed) await sandboxes.leave(id, isActivation)
    const bundle = await (isSandboxed ? bundleForSandbox(source, sandboxes, builds) : bundleExtension(entry, builds))
    filesOf.set(id, bundle.files)
    watchFiles(source)
    const evaluate = isSandboxed ? await defineSandboxed(id, bundle, isActivation) : await inProcess(source, bundle)
    traces.add(id, bundle)
    return {
      name: bundle.filename,
      hash: bundle.hash,
      entry: shownPath(entry, dirname(entry)),
      evaluate,
      unload: () => traces.remove(bundle),
    }
  }

  /** The name of its entry in the site's folder; `undefined` if it is elsewhere. */
  async function entryOf({ entry, folder }: Source): Promise<string | undefined> {
    const path = folder ?? entry
    return dirname(path) === (await realpath(siteFolder).catch(() => undefined)) ? basename(path) : undefined
  }

  async function share(source: Source): Promise<void> {
    const name = sharedCode && (await entryOf(source))
    if (name !== undefined) await sharedCode?.push('extensions', name)
  }

  async function inProcess(source: Source, bundle: Bundle): Promise<() => unknown> {
    const { id } = source
    const { entry, hash } = bundle
    const pentad = await publicApi()
    let compiled = await builds.readCompiled(entry, hash)
    return () => {
      const { exports, compile } = evaluateBundle(bundle, pentad, traces.mapStack, compiled)
      // V8 has copied it.
      compiled = undefined
      checkReadFirst(exports, source)
      if (compile && cachesCompiled) notCached.set(id, () => builds.writeCompiled(entry, hash, compile()))
      else notCached.delete(id)
      return exports
    }
  }

  async function defineSandboxed(id: string, bundle: Bundle, isActivation: boolean): Promise<() => unknown> {
    const definition = await sandboxes.define(bundle, {
      ...{ filename: bundle.filename, id, isActivation },
      mapStack: traces.mapStack,
    })
    return () => ({ __esModule: true, default: definition })
  }

  function watchFiles({ id, entry, folder }: Source): void {
    watcher?.watch(id, filesOf.get(id) ?? [entry], folder)
  }

  return {
    async list() {
      await sharedCode?.pull()
      found = await discoverExtensions({ folders, paths }, options)
      return Promise.all(found.values().map(describe))
    },
    async add(path) {
      const [source] = (await discoverExtensions({ folders: [], paths: [path] }, options)).values()
      if (!source) throw new Error(`${path} is not an extension: it has no index.ts.`)
      paths.add(path)
      return source.id
    },
    explainMissing: (id) => explainNoEntry(folders, id),
    async inspect(folder) {
      const source = await inspectExtension(folder, builds)
      return { source, problem: source.problem ?? (await unmetRequirement(source, activeVersion)) ?? null }
    },
    find: (id) => found.get(id),
    dependents: (id) =>
      [...found.values()].flatMap(({ id: other, requires }) => {
        const range = requires?.extensions?.[id]
        const isMutual = found.get(id)?.requires?.extensions?.[other] !== undefined
        return range !== undefined && !isMutual && activeVersion(other)?.isActive ? [{ id: other, range }] : []
      }),
    async unmet(id) {
      const source = found.get(id)
      return source && unmetRequirement(source, activeVersion)
    },
    locate: traces.locate,
    mapLine: traces.mapLine,
    traces,
    isolationOf(id) {
      const isolation = found.get(id)?.isolation ?? 'process'
      return { isolation, isSandboxed: sandboxes.isSandboxed(id, isolation) }
    },
    async ask(source) {
      const { id, isolation } = source
      const bundle = sandboxes.isSandboxed(id, isolation)
        ? await bundleForSandbox(source, sandboxes, builds)
        : undefined
      return sandboxes.ask(bundle, { id, filename: bundle?.filename ?? '' })
    },
    async findCrashed(stack) {
      const [frame] = framesOf(stack)
      const source = frame && found.values().find(({ entry }) => isBundleOf(entry, frame.filename))
      if (!source) return undefined
      // The bundle may not be running any more, so its source map is rebuilt or read from the cache.
      const bundle = await bundleExtension(source.entry, builds).catch(() => undefined)
      const place = bundle && placeIn(sourceMapOf(bundle), frame)
      return {
        extension: source.id,
        place: place ? `${shownPath(place.file, dirname(source.entry))}:${place.line}` : null,
      }
    },
    async share(id) {
      const source = found.get(id)
      // The other nodes trust what they fetch.
      if (source && !(await isUntrusted(source))) await share(source)
    },
    idsOf: (names) =>
      [...found.values()].flatMap(({ id, entry, folder }) => (names.includes(basename(folder ?? entry)) ? [id] : [])),
    watch(extensions) {
      watcher ??= createWatcher((id) => {
        const report = extensions.list().find((one) => one.id === id)
        // A paused one may have been fixed.
        if (!report || report.state === 'inactive') return
        extensions.reload(id, true).then(
          () => log.info({ extension: id }, 'extension reloaded'),
          () => {}, // Logged where it failed.
        )
      }, log)
      for (const source of found.values()) watchFiles(source)
    },
    cacheCompiled() {
      cachesCompiled = false
      for (const write of notCached.values()) write()
      notCached.clear()
    },
    async close() {
      watcher?.close()
      await builds.close()
    },
  }
}

/** Gives a host the extensions of the folders. */
export function joinLoader(
  host: JoiningHost,
  parts: Pick<LoaderParts, 'folders' | 'isService' | 'publicApi' | 'sandboxes'> & {
    readonly sharedCode: SharedCode | undefined
  },
): Loader {
  const { extensions, log } = host
  const loader = createLoader({ ...host, ...parts })
  parts.sharedCode?.onChanged('extensions', (names) => {
    reloadChanged(names).catch((error) => log.error({ err: error }, 'could not reload changed extensions'))
  })

  async function reloadChanged(names: readonly string[]): Promise<void> {
    await extensions.discover()
    for (const id of loader.idsOf(names)) {
      if (extensions.get(id)?.running) await extensions.reload(id).catch(() => {}) // Logged where it failed.
    }
  }

  host.addExtensions(loader)
  host.addView(lifecycleView)
  let checking: NodeJS.Timeout | undefined
  let compiling: NodeJS.Timeout | undefined
  host.onListen(() => {
    followRequirements(host, loader)
    compiling = setTimeout(loader.cacheCompiled, FIRST_REQUESTS).unref()
    checking = setInterval(() => {
      extensions.checkFiles().catch((error) => log.error({ err: error }, 'could not check files of extensions'))
    }, FILES_CHECK).unref()
  })
  host.onClose(async () => {
    clearInterval(checking)
    clearTimeout(compiling)
    await loader.close()
  })
  return loader
}
