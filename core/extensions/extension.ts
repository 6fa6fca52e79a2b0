import type { Source } from './discover.ts'
import { readState, type StoredState, writeState } from './state.ts'
import type { ExtensionReport, ExtensionState } from './types.ts'
import { describeError, setUpVersion, type Version, type VersionParts } from './version.ts'

/** So many throws within so many milliseconds pause an extension. */
const PATIENCE = { throws: 5, within: 60_000 }
const NOTHING = { routes: [], abilities: [], jobs: [], pages: [], hasSettings: false }
const NO_LICENCE = 'It needs an active licence.'

/** One extension of the site: its state, and the version that runs if it is active. */
export interface Extension {
  readonly id: string
  readonly name: string
  /** Where it lies; a newer look at the disk replaces it. */
  source: Source
  readonly running: boolean
  /** Id, version and a hash of the code of the running version; `undefined` if none runs. */
  readonly software: string | undefined
  /** The files of the running version, or of its last attempt as far as they are known. */
  files(): readonly string[]
  report(): ExtensionReport
  /** Switches it on. Resolves to whether that changed anything. @throws Error with the reason if it can't run. */
  activate(): Promise<boolean>
  /** Switches it off. Resolves to whether that changed anything. */
  deactivate(): Promise<boolean>
  /** Puts the version that lies on the disk in the place of the running one. @throws Error with the reason; the running one goes on. */
  reload(): Promise<void>
  /** Becomes what the stored state and the licence say. Never rejects. */
  follow(): Promise<void>
  /** Notes that its code threw; pauses it if that is once too often. */
  noteError(error: unknown, where: string): void
  /** Tears the running version down without a change of state. */
  close(): Promise<void>
}

/**
 * @param byDefault - Its state while none is stored.
 * @param parts.onSwitch - Called after another version runs, or none any more; not when the host closes.
 */
export function createExtension(
  first: Source,
  parts: VersionParts & { readonly onSwitch: (id: string) => void },
  byDefault: 'active' | 'inactive',
): Extension {
  const { host, traces } = parts
  const { options, log, auth } = host
  const { id } = first
  let source = first
  let version: Version | undefined
  let state: ExtensionState = wanted().state
  let reason: string | null = wanted().reason ?? first.problem
  let throws: number[] = []
  let retiring: Promise<void> = Promise.resolve()
  let queue: Promise<unknown> = Promise.resolve()
  let closed = false

  /** One after the other: two requests at once find each other's work done. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = queue.then(() => {
      if (closed) throw new Error('The host is closing.')
      return work()
    })
    queue = turn.catch(() => {})
    return turn
  }

  async function become(next: ExtensionState, why: string | null): Promise<void> {
    state = next
    reason = why
    await writeState(options, id, next, why)
  }

  /** Sets the version on the disk up and lets it take over. */
  async function run(): Promise<void> {
    if (source.problem !== null) throw new Error(source.problem)
    if (source.pro && !auth.licence.active) throw new Error(NO_LICENCE)
    const next = await setUpVersion(source, parts, onError, version)
    try {
      if (next.definition.pro && !auth.licence.active) throw new Error(NO_LICENCE)
      next.scope.goLive()
    } catch (error) {
      await next.dispose()
      throw error
    }
    const before = version
    version = next
    throws = []
    parts.onSwitch(id)
    // Not awaited: calls under way may take their time, the new version serves already.
    if (before) retiring = Promise.all([retiring, before.dispose()]).then(() => {})
  }

  async function stop(): Promise<void> {
    const before = version
    version = undefined
    await before?.dispose()
    await retiring
    if (before && !closed) parts.onSwitch(id)
  }

  async function tryToRun(): Promise<void> {
    try {
      await retiring
      await run()
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      log.error({ err: error, extension: id }, 'extension is paused')
      await become('paused', why)
      throw error
    }
  }

  function onError(from: Version | undefined, error: unknown, where: string, requestId?: string): void {
    const place = traces.locate(error)
    log.error({ err: error, extension: id, where, requestId }, 'extension threw, it was passed over')
    if (!version || from !== version) return
    const last = `${where}: ${describeError(error, place, source)}`
    countThrow(`It threw ${PATIENCE.throws} times within a minute, at last in ${last}`)
  }

  function countThrow(why: string): void {
    const now = Date.now()
    throws = [...throws.filter((moment) => now - moment < PATIENCE.within), now]
    if (throws.length < PATIENCE.throws) return
    throws = []
    const failing = version
    inTurn(async () => {
      if (version !== failing) return
      log.error({ extension: id, reason: why }, 'extension is paused')
      await stop()
      await become('paused', why)
    }).catch((error) => log.error({ err: error, extension: id }, 'extension could not be paused'))
  }

  function wanted(): StoredState {
    return readState(options, id) ?? { state: byDefault, reason: null }
  }

  async function followNow(): Promise<void> {
    const stored = wanted()
    const licensed = auth.licence.active
    if (stored.state === 'active' || (stored.state === 'paused' && stored.reason === NO_LICENCE && licensed)) {
      if (version && (!isPro() || licensed)) return
      if (version) {
        await stop()
        await become('paused', NO_LICENCE)
        return
      }
      await tryToRun()
      state = 'active'
      reason = null
      if (stored.state !== 'active') await become('active', null)
      return
    }
    if (version) await stop()
    state = stored.state
    reason = stored.reason ?? source.problem
  }

  const isPro = () => version?.definition.pro ?? source.pro

  return {
    id,
    get name() {
      return (version?.definition ?? source).name
    },
    get source() {
      return source
    },
    set source(next) {
      source = next
      if (!version && state === 'inactive') reason = next.problem
    },
    get running() {
      return version !== undefined
    },
    get software() {
      return version && `${id} ${version.definition.version} ${version.bundle.hash}`
    },
    files: () => version?.bundle.files ?? [source.entry],
    report() {
      const { name, version: number, description = '' } = version?.definition ?? source
      const listened = host.hooks.inspect().filter(({ listeners }) => listeners.some(({ owner }) => owner === id))
      return {
        id,
        name,
        version: number,
        description,
        isService: byDefault === 'active',
        pro: isPro() === true,
        state,
        reason,
        hooks: version ? listened.map((hook) => hook.name) : [],
        ...(version?.scope.registered() ?? NOTHING),
      }
    },
    activate: () =>
      inTurn(async () => {
        if (version) return false
        await tryToRun()
        await become('active', null)
        return true
      }),
    deactivate: () =>
      inTurn(async () => {
        if (!version && state === 'inactive' && wanted().state === 'inactive') return false
        await stop()
        await become('inactive', null)
        return true
      }),
    reload: () =>
      inTurn(async () => {
        if (!version && state === 'inactive') throw new Error('It is not active.')
        if (!version) {
          await tryToRun()
          await become('active', null)
          return
        }
        try {
          await run()
          reason = null
        } catch (error) {
          reason = error instanceof Error ? error.message : String(error)
          log.error({ err: error, extension: id }, 'extension was not reloaded, the old version goes on')
          throw error
        }
      }),
    follow: () =>
      inTurn(followNow).catch((error) => log.debug({ err: error, extension: id }, 'extension does not run')),
    noteError: (error, where) => onError(version, error, where),
    async close() {
      closed = true
      await queue
      await stop()
    },
  }
}
