import { deprecate } from 'node:util'
import packageJson from '../../package.json' with { type: 'json' }
import { RestError } from '../errors.ts'
import { CLOSE_GRACE } from '../http/closing-time.ts'
import { coreOwner } from '../owner.ts'
import { type CoreParts, coreView } from './core-view.ts'
import { createDecorations } from './decorations.ts'
import { createExtension } from './extension.ts'
import type { ManagedExtension } from './managed-extension.ts'
import type { ExtensionManager } from './manager.ts'
import { createOrigins } from './origin.ts'
import { createRoster } from './roster.ts'
import type { HostParts } from './scope.ts'
import type { ExtensionSource } from './source.ts'
import { readState, STATE_OPTION, storedIds } from './state.ts'
import type { ExtensionReport } from './types.ts'

export type { ExtensionManager } from './manager.ts'
export type * from './types.ts'

/** Time limit of `setup`, in milliseconds. */
const SETUP_TIME = 30_000

const warnOfFormerName = deprecate(
  () => {},
  'The action extension_switched was renamed to extension_state_changed.',
  'PENTAD_EXTENSION_SWITCHED',
)

export interface ExtensionParts extends Omit<HostParts, 'decorations'>, Omit<CoreParts, 'hostVersion' | 'software'> {
  /** Later sources take precedence. */
  readonly sources: readonly ExtensionSource[]
  /** Runs when the extensions are known, before the first one starts. */
  readonly beforeStart?: () => Promise<void>
  /** Time limit of `setup` in milliseconds; default 30 s. */
  readonly setupTimeout?: number
  /** Whether extensions that require a license may run; default: they may not. */
  readonly isLicensed?: () => boolean
  /** Whether only services run. The stored state of other extensions is preserved. */
  readonly safeMode?: boolean
}

export function createExtensions(parts: ExtensionParts): ExtensionManager {
  const { hooks, log, options, sources, setupTimeout = SETUP_TIME, safeMode = false } = parts
  const { isLicensed = () => false } = parts
  const origins = createOrigins()
  let around = <Result>(load: () => Result): Result => load()
  let isStarted = false
  /** The running software when the host started to close: caches must not see extensions disappear one by one. */
  let softwareAtClose: readonly string[] | undefined

  const roster = createRoster({
    sources,
    options,
    create(source) {
      return createExtension(
        source,
        {
          ...{ host, origins, onSwitch, setupTimeout, isLicensed, safeMode },
          aroundLoading: (load) => around(load),
          locate: (error) =>
            sources
              .values()
              .map((source) => source.locate?.(error))
              .find((place) => place !== undefined),
          recordErrorOf: (id, error, where) => roster.get(id)?.recordError(error, where),
        },
        isStarted,
      )
    },
    onFiles(extension) {
      if (!isStarted) return
      follow(extension).catch((error) =>
        log.error({ err: error, extension: extension.id }, 'could not apply extension state'),
      )
    },
  })

  const software = () => [
    `pentad ${packageJson.version}`,
    ...roster.list().flatMap((extension) => extension.software ?? []),
  ]
  const core = { ...parts, hostVersion: packageJson.version, software: () => softwareAtClose ?? software() }
  const view = coreView(core)
  const host: HostParts & CoreParts = {
    ...core,
    decorations: createDecorations(),
    // A getter, because parts are added to the host later.
    get views() {
      return [view, ...parts.views]
    },
  }
  const followAll = async () => {
    // Sequentially, so that callbacks of the same priority run in the same order after every start.
    for (const extension of roster.list()) await follow(extension)
  }

  /** Applies the state of an extension, and fires the actions if another process changed it. */
  async function follow(extension: ManagedExtension): Promise<void> {
    const switched = await extension.follow()
    if (switched === 'activated') await hooks.doActionAsync('activated_plugin', extension.id)
    if (switched === 'deactivated') await hooks.doActionAsync('deactivated_plugin', extension.id)
  }

  /** Whether another process has changed the state of an extension, whose files may then be new. This process applies its own changes first. */
  function isChangedByOtherProcess(): boolean {
    return storedIds(options).some((id) => {
      const extension = roster.get(id)
      return !extension || (readState(options, id)?.state === 'active') !== extension.running
    })
  }

  function onSwitch(id: string): void {
    if (!isStarted) return
    fire('extension_state_changed', id)
    if (!hooks.hasAction('extension_switched')) return
    warnOfFormerName()
    fire('extension_switched', id)
  }

  function fire(name: 'extension_state_changed' | 'extension_switched', id: string): void {
    hooks.doActionAsync(name, id).catch((error) => log.error({ err: error }, `${name} failed`))
  }

  async function orRestError<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new RestError('extension_failed', `The extension failed: ${reason}`, { status: 409, reason })
    }
  }

  // Another process, such as a command, can change the state of extensions.
  const own = hooks.forOwner(
    coreOwner((error, hook) => log.error({ err: error, hook }, 'could not apply extension states')),
  )

  return {
    safeMode,
    async load(run = true) {
      await roster.discover()
      await parts.beforeStart?.()
      for (const extension of roster.list()) await extension.deactivateUntrusted()
      if (!run) {
        for (const extension of roster.list()) extension.keepClosed()
        return
      }
      await followAll()
      isStarted = true
      // Not awaited, because the writer of the option waits for this callback: a deadlock.
      own.addAction('updated_option', (name) => {
        if (name !== STATE_OPTION) return
        const scan = isChangedByOtherProcess() ? roster.discover() : Promise.resolve()
        scan.then(followAll).catch((error) => log.error({ err: error }, 'could not apply extension states'))
      })
    },
    async followLicense() {
      if (isStarted) await followAll()
    },
    discover: roster.discover,
    checkFiles: roster.checkFiles,
    async add(path) {
      const id = await sources.find(({ add }) => add !== undefined)?.add?.(path)
      if (id === undefined) throw new Error('This host accepts extensions as values only.')
      await roster.discover()
      return id
    },
    get: roster.get,
    list: () => roster.list().map((extension) => extension.report()),
    running: () => roster.list().flatMap(({ id, name, running }) => (running ? { id, name } : [])),
    async activate(id, confirm) {
      const extension = await roster.find(id)
      if (extension.source.trust) {
        await confirm?.()
        await extension.source.trust()
        await roster.discover()
      }
      // As in a server: the extension may depend on the others.
      if (!isStarted) await followAll()
      if (await orRestError(extension.activate())) await hooks.doActionAsync('activated_plugin', id)
      return extension.report()
    },
    async deactivate(id) {
      const extension = await roster.find(id)
      const dependents = sources.flatMap((source) => source.dependents?.(id) ?? []).map((other) => other.id)
      const message = `${extension.name} is required by: ${dependents.join(', ')}. Deactivate the dependent extensions first.`
      if (dependents.length > 0) throw new RestError('extension_required', message, { status: 409, dependents })
      if (await extension.deactivate()) await hooks.doActionAsync('deactivated_plugin', id)
      return extension.report()
    },
    uninstall: async (id, withData) => orRestError((await roster.find(id)).uninstall(withData)),
    async reload(id, isNewer): Promise<ExtensionReport> {
      const extension = await roster.find(id)
      await orRestError(extension.reload(isNewer))
      return extension.report()
    },
    origin: origins.current,
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
      softwareAtClose = software()
      own[Symbol.dispose]()
      for (const extension of roster.list().reverse()) await extension.close(left)
    },
  }
}
