import { toError } from '../errors.ts'
import { HookRecursion } from '../hooks/recursion.ts'
import type { HookReport } from '../hooks/types.ts'
import { outsideRequests } from '../http/request-context.ts'
import { createClosedHooks } from './closed-hooks.ts'
import { FILES_GONE, type Source } from './discover.ts'
import type { ForeignCode } from './foreign-code.ts'
import { createPatience, PATIENCE } from './patience.ts'
import { readState, type StoredState, writeProtects, writeState } from './state.ts'
import type { ExtensionReport, ExtensionState } from './types.ts'
import { describeError, setUpVersion, type Version, type VersionParts } from './version.ts'

const NOTHING = { routes: [], abilities: [], jobs: [], pages: [], hasSettings: false }
const NO_LICENCE = 'It needs an active licence.'
const SAFE_MODE = 'It does not run while the site is in safe mode.'

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
  /** Whether its files were deleted. */
  readonly isGone: boolean
  /** Switches it on. Resolves to whether that changed anything. @throws Error with the reason if it can't run. */
  activate(): Promise<boolean>
  /** Switches it off. Resolves to whether that changed anything. */
  deactivate(): Promise<boolean>
  /**
   * Puts the version that lies on the disk in the place of the running one; a set-up in progress, of older files, is given
   * up if `isNewer`. @throws Error with the reason; the running one goes on.
   */
  reload(isNewer?: boolean): Promise<void>
  /**
   * Becomes what the stored state, the licence and the disk say. Never rejects.
   *
   * @returns what another process, or nobody, has switched.
   */
  follow(): Promise<'activated' | 'deactivated' | undefined>
  /** Notes that its code threw; pauses it if that is once too often. */
  noteError(error: unknown, where: string): void
  /** Pauses it, if it is active. What fails is logged. */
  pause(why: string): Promise<void>
  /** Closes what it protects, for a process that does not start it. */
  keepClosed(): void
  /** Tears the running version down without a change of state. */
  close(): Promise<void>
}

/**
 * @param byDefault - Its state while none is stored.
 * @param isNew - Whether it came while the site runs; what is stored of it counts from the next `follow` on.
 * @param parts.onSwitch - Called after another version runs, or none any more; not when the host closes.
 * @param parts.safeMode - Whether the site is in safe mode: unless it is a service it does not run, and its stored state stays.
 */
export function createExtension(
  first: Source,
  parts: VersionParts & {
    readonly onSwitch: (id: string) => void
    readonly safeMode: boolean
    readonly foreignCode: Pick<ForeignCode, 'covers'>
  },
  byDefault: 'active' | 'inactive',
  isNew = false,
): Extension {
  const { host, traces } = parts
  const { options, log, auth } = host
  const { id } = first
  const isHeld = parts.safeMode && byDefault === 'inactive'
  let source = first
  let version: Version | undefined
  let state: ExtensionState = isNew ? 'inactive' : wanted().state
  let reason: string | null = wanted().reason ?? first.problem
  const patience = createPatience()
  let retiring: Promise<void> = Promise.resolve()
  let queue: Promise<unknown> = Promise.resolve()
  let closed = false
  const closedHooks = createClosedHooks(id, host)
  /** Ends the set-up in progress. */
  let setUp = new AbortController()

  /** One after the other: two requests at once find each other's work done. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    // A request may wait for it, but what an extension does as it starts or stops has limits of its own.
    const turn = outsideRequests(() =>
      queue.then(() => {
        if (closed) throw new Error('The host is closing.')
        return work()
      }),
    )
    queue = turn.catch(() => {})
    return turn
  }

  async function become(next: ExtensionState, why: string | null): Promise<void> {
    state = next
    reason = why
    if (next === 'inactive') closedHooks.open()
    await writeState(options, id, next, why)
    await keepProtects()
  }

  /** The hooks by which it protects content, now or as far as is known. */
  function protects(): string[] {
    return version ? protectedBy(id) : (readState(options, id)?.protects ?? [])
  }

  function protectedBy(owner: string): string[] {
    const isClosed = (hook: HookReport) => hook.listeners.some((one) => one.owner === owner && one.onError === 'closed')
    return host.hooks
      .inspect()
      .filter(isClosed)
      .map(({ name }) => name)
  }

  /** For the next start, where it may fail before it has said what it protects. */
  async function keepProtects(): Promise<void> {
    const now = protects()
    const before = readState(options, id)?.protects ?? []
    if (!version || now.join(' ') === before.join(' ')) return
    await writeProtects(options, id, stored(), now)
  }

  /** Sets the version on the disk up and lets it take over. */
  async function run(): Promise<void> {
    if (source.problem !== null) throw new Error(source.problem)
    // A restore has just put it here; the site is about to be opened again.
    if (await parts.foreignCode.covers(source)) throw new Error('The site is being replaced.')
    if (source.pro && !auth.licence.active) throw new Error(NO_LICENCE)
    setUp = new AbortController()
    const next = await setUpVersion(source, parts, { onError, onProtect }, setUp.signal, version)
    try {
      if (next.definition.pro && !auth.licence.active) throw new Error(NO_LICENCE)
      next.scope.goLive()
    } catch (error) {
      await next.dispose()
      throw error
    }
    const before = version
    version = next
    patience.reset()
    closedHooks.open()
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

  /** Stops it; what it protects is closed before its callbacks are gone. */
  async function stopClosed(): Promise<void> {
    const names = protects()
    closedHooks.close(names)
    if (version && names.length > 0) await writeProtects(options, id, stored(), names)
    await stop()
  }

  async function tryToRun(): Promise<void> {
    try {
      // Until it runs.
      if (!version) closedHooks.close(protects())
      await retiring
      await run()
    } catch (error) {
      // The next start sets it up again.
      if (closed) throw error
      const why = error instanceof Error ? error.message : String(error)
      log.error({ err: error, extension: id }, 'extension is paused')
      await become('paused', why)
      throw error
    }
  }

  function onError(from: Version | undefined, thrown: unknown, where: string, requestId?: string): void {
    const error = toError(thrown)
    const place = traces.locate(error)
    log.error({ err: error, extension: id, where, requestId }, 'extension threw, it was passed over')
    if (!version || from !== version) return
    if (error instanceof HookRecursion) {
      pauseRunning(describeError(error, place, source))
      return
    }
    const last = `${where}: ${describeError(error, place, source)}`
    if (patience.isOver()) pauseRunning(`It threw ${PATIENCE.throws} times within a minute, at last in ${last}`)
  }

  function onProtect(): void {
    inTurn(keepProtects).catch((error) =>
      log.debug({ err: error, extension: id }, 'what the extension protects was not stored'),
    )
  }

  function pauseRunning(why: string): void {
    const failing = version
    void pause(why, () => version === failing)
  }

  function pause(why: string, applies: () => boolean): Promise<void> {
    return inTurn(async () => {
      if (!applies()) return
      log.error({ extension: id, reason: why }, 'extension is paused')
      await stopClosed()
      await become('paused', why)
    }).catch((error) => log.error({ err: error, extension: id }, 'extension could not be paused'))
  }

  function stored(): StoredState {
    return readState(options, id) ?? { state: byDefault, reason: null }
  }

  function wanted(): StoredState {
    const kept = stored()
    return isHeld && kept.state === 'active' ? { state: 'paused', reason: SAFE_MODE } : kept
  }

  function refuseInSafeMode(): void {
    if (isHeld) throw new Error(`${SAFE_MODE} Restart the site without safe mode first.`)
  }

  /** Whether a stored pause is over, since what was missing is there again. */
  function isOver(pause: string | null): boolean {
    if (isHeld) return false
    return (pause === NO_LICENCE && auth.licence.active) || (pause === FILES_GONE && source.problem !== FILES_GONE)
  }

  async function followNow(): Promise<'activated' | 'deactivated' | undefined> {
    const next = wanted()
    const [before, pausedFor] = [state, reason]
    if (next.state === 'active' || (next.state === 'paused' && isOver(next.reason))) {
      const lack = missing()
      if (version && lack === null) return confirm()
      if (version && lack !== null) {
        await stopClosed()
        log.error({ extension: id, reason: lack }, 'extension is paused')
        await become('paused', lack)
        return undefined
      }
      await tryToRun()
      state = 'active'
      reason = null
      if (next.state !== 'active' || next.isAsked) await become('active', null)
      else await keepProtects()
      const wasLacking = before === 'paused' && (pausedFor === NO_LICENCE || pausedFor === FILES_GONE)
      return before === 'active' || wasLacking ? undefined : 'activated'
    }
    if (version) await (next.state === 'inactive' ? stop() : stopClosed())
    state = next.state
    reason = next.reason ?? source.problem
    if (state === 'paused') closedHooks.close(protects())
    else closedHooks.open()
    await confirm()
    return next.state === 'inactive' && before !== 'inactive' ? 'deactivated' : undefined
  }

  /** Tells the process that asked for a state that it is reached. */
  async function confirm(): Promise<undefined> {
    const { state: asked, reason: why, isAsked } = stored()
    if (isAsked) await writeState(options, id, asked, why)
  }

  /** Why the running version may not go on. */
  function missing(): string | null {
    if (source.problem === FILES_GONE) return FILES_GONE
    return isPro() && !auth.licence.active ? NO_LICENCE : null
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
      if (!version && state === 'inactive') reason = wanted().reason ?? next.problem
    },
    get running() {
      return version !== undefined
    },
    get software() {
      return version && `${id} ${version.definition.version} ${version.bundle.hash}`
    },
    get isGone() {
      return source.problem === FILES_GONE
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
        refuseInSafeMode()
        await tryToRun()
        await become('active', null)
        return true
      }),
    deactivate() {
      setUp.abort(new Error('It was deactivated while it was set up.'))
      return inTurn(async () => {
        if (!version && state === 'inactive' && wanted().state === 'inactive') return false
        await stop()
        await become('inactive', null)
        return true
      })
    },
    reload(isNewer = false) {
      if (isNewer) setUp.abort(new Error('It was saved again while it was set up.'))
      return inTurn(async () => {
        if (!version && state === 'inactive') throw new Error('It is not active.')
        refuseInSafeMode()
        if (!version) {
          await tryToRun()
          await become('active', null)
          return
        }
        try {
          await run()
          reason = null
          await keepProtects()
        } catch (error) {
          reason = error instanceof Error ? error.message : String(error)
          log.error({ err: error, extension: id }, 'extension was not reloaded, the old version goes on')
          throw error
        }
      })
    },
    follow: () =>
      inTurn(followNow).catch((error) => {
        log.debug({ err: error, extension: id }, 'extension does not run')
        return undefined
      }),
    noteError: (error, where) => onError(version, error, where),
    pause: (why) => pause(why, () => version !== undefined || stored().state === 'active'),
    keepClosed() {
      if (!version && wanted().state !== 'inactive') closedHooks.close(protects())
    },
    async close() {
      closed = true
      setUp.abort(new Error('The host is closing.'))
      await queue
      await stop()
    },
  }
}
