import { waitAtMost } from '../http/closing-time.ts'
import { outsideRequests } from '../http/request-context.ts'
import type { CoreParts } from './core-view.ts'
import { createIntent } from './intent.ts'
import type { ManagedExtension } from './managed-extension.ts'
import { createPauseOnErrors } from './pause-on-errors.ts'
import { createProtection } from './protection.ts'
import { createRunner } from './runner.ts'
import { type AvailableExtension, FILES_MISSING } from './source.ts'
import { removeState, writeState } from './state.ts'
import type { ExtensionState } from './types.ts'
import type { VersionParts } from './version.ts'

const CONTENT_CLOSED = 'The content that it protects is not available until it runs again or is deactivated.'
/** Milliseconds for the callbacks of `deactivate_plugin`: one that never ends must not prevent deactivation and shutdown. */
const HOOK_TIME = 5_000
const NOTHING = { routes: [], abilities: [], jobs: [], pages: [], hasSettings: false }

/**
 * @param isNew - Whether it was found while the site is running; its stored state is applied by the next `follow`.
 * @param parts.onSwitch - Called after the running version changed or stopped, except when the host closes.
 * @param parts.recordErrorOf - Counts an error of another extension, by id.
 * @param parts.safeMode - Whether the site is in safe mode: then only services run, and the stored state is preserved.
 */
export function createExtension(
  first: AvailableExtension,
  parts: VersionParts & {
    readonly host: Pick<CoreParts, 'config' | 'options'>
    readonly onSwitch: (id: string) => void
    readonly recordErrorOf: (id: string, ...error: Parameters<ManagedExtension['recordError']>) => void
    readonly isLicensed: () => boolean
    readonly safeMode: boolean
  },
  isNew = false,
): ManagedExtension {
  const { host } = parts
  const { options, log } = host
  const { id, isService } = first
  const intent = createIntent(first, { options, isLicensed: parts.isLicensed, safeMode: parts.safeMode })
  const { stored, wanted } = intent
  let source = first
  let state: ExtensionState = isNew ? 'inactive' : wanted().state
  let reason: string | null = wanted().reason ?? first.problem
  let queue: Promise<unknown> = Promise.resolve()
  let closed = false
  const onOtherError = (other: string, error: unknown) => parts.recordErrorOf(other, error, `the setup of ${id}`)
  const errors = createPauseOnErrors({
    ...{ id, isService, log, locate: parts.locate },
    running: () => runner.version,
    pause: pauseRunning,
  })
  const on = { onError: errors.note, onProtect, onOtherError }
  const runner = createRunner({ ...parts, checkAllowed: checkRequirements }, on)
  const protection = createProtection(
    id,
    { ...host, siteDir: host.config.siteDir },
    { isRunning: () => runner.version !== undefined, stored },
  )

  /** Runs operations one at a time: of two concurrent requests, the second finds the work done. */
  function enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    // Not subject to the time limit of the request: starting and stopping an extension have their own limits.
    const task = outsideRequests(() =>
      queue.then(() => {
        if (closed) throw new Error('The host is closing.')
        return work()
      }),
    )
    queue = task.catch(() => {})
    return task
  }

  async function setState(next: ExtensionState, why: string | null): Promise<void> {
    state = next
    reason = why
    if (next === 'inactive') protection.open()
    await writeState(options, id, next, why)
    await protection.store()
  }

  /** @throws Error if a requirement is missing */
  function checkRequirements(pro: boolean): void {
    const obstacle = intent.obstacle(source, pro)
    if (obstacle !== null) throw new Error(obstacle)
  }

  async function run(isActivation = false): Promise<void> {
    await runner.start({ ...source, load: () => source.load(isActivation) })
    protection.record()
    errors.reset()
    protection.open()
    parts.onSwitch(id)
  }

  async function stop(isDeactivation = false): Promise<void> {
    if (isDeactivation && runner.version) {
      const isDone = await waitAtMost(HOOK_TIME, host.hooks.doActionAsync('deactivate_plugin', id))
      if (!isDone) log.warn({ extension: id }, 'deactivate_plugin takes too long, deactivating')
    }
    const wasRunning = await runner.stop()
    if (wasRunning && !closed) parts.onSwitch(id)
  }

  /** Counts as paused as soon as its callbacks are removed; its calls in progress may take longer. */
  async function pauseImmediately(why: string): Promise<undefined> {
    // Before its callbacks are removed.
    protection.close()
    await protection.store()
    const stopped = stop()
    await setState('paused', why)
    log.error({ extension: id, reason: why }, 'extension paused')
    await stopped
  }

  async function startOrPause(isActivation = false): Promise<void> {
    try {
      // Closed until the extension runs. Content of an inactive extension is open, and is closed only if the start fails.
      if (!runner.version && state !== 'inactive') protection.close()
      await runner.retired()
      await run(isActivation)
    } catch (error) {
      // Not paused, so that the next start sets it up again.
      if (closed) throw error
      const failure = error instanceof Error ? error.message : String(error)
      log.error({ err: error, extension: id }, 'extension paused')
      // Reported as a change, so that pages cached while the content was open are purged.
      if (!runner.version && protection.close()) parts.onSwitch(id)
      await setState('paused', failure)
      throw new Error(withProtection(failure), { cause: error })
    }
  }

  /** Appends the consequences for visitors to a reason. */
  function withProtection(why: string): string {
    return protection.isClosed ? `${why} ${CONTENT_CLOSED}` : why
  }

  function onProtect(): void {
    protection.record()
    enqueue(protection.store).catch((error) =>
      log.debug({ err: error, extension: id }, 'could not store the content that the extension protects'),
    )
  }

  function pauseRunning(why: string): void {
    const failing = runner.version
    void pause(why, () => runner.version === failing)
  }

  function pause(why: string, applies: () => boolean): Promise<void> {
    return enqueue(async () => {
      if (applies()) await pauseImmediately(why)
    }).catch((error) => log.error({ err: error, extension: id }, 'extension could not be paused'))
  }

  async function applyState(): Promise<'activated' | 'deactivated' | undefined> {
    const next = wanted()
    const [before, pausedFor] = [state, reason]
    if (intent.shouldRun(source)) {
      const obstacle = intent.obstacle(source, isPro())
      if (runner.version) return obstacle === null ? confirm() : pauseImmediately(obstacle)
      await startOrPause(next.isAsked)
      state = 'active'
      reason = null
      if (next.state !== 'active' || next.isAsked || next.reason !== null) await setState('active', null)
      else await protection.store()
      return before === 'active' || intent.wasRequirementMissing(before, pausedFor) ? undefined : 'activated'
    }
    if (next.state === 'paused') {
      protection.close()
      await protection.store()
    }
    if (runner.version) await stop(next.state === 'inactive')
    state = next.state
    reason = next.reason ?? source.problem
    if (state !== 'paused') protection.open()
    await confirm()
    return next.state === 'inactive' && before !== 'inactive' ? 'deactivated' : undefined
  }

  /** Confirms to the process that requested a state that it was stored, with the reason if safe mode prevents it. */
  async function confirm(): Promise<undefined> {
    const { state: asked, isAsked } = stored()
    if (isAsked) await writeState(options, id, asked, wanted().reason)
  }

  const isPro = () => (runner.version?.definition.pro ?? source.pro) === true

  return {
    id,
    isService,
    get name() {
      return (runner.version?.definition ?? source).name
    },
    get source() {
      return source
    },
    set source(next) {
      source = next
      if (!runner.version && state === 'inactive') reason = wanted().reason ?? next.problem
    },
    get running() {
      return runner.version !== undefined
    },
    get software() {
      const { version } = runner
      return version && `${id} ${version.definition.version} ${version.hash}`.trimEnd()
    },
    get filesMissing() {
      return source.problem === FILES_MISSING
    },
    report() {
      const { name, version: number, description = '' } = runner.version?.definition ?? source
      const hooks = runner.version ? host.hooks.inspect() : []
      return {
        id,
        name,
        version: number,
        description,
        isService,
        pro: isPro(),
        state,
        reason: source.trust ? source.problem : reason && withProtection(reason),
        isUntrusted: source.trust !== undefined,
        hooks: hooks.filter(({ listeners }) => listeners.some(({ owner }) => owner === id)).map((hook) => hook.name),
        ...(runner.version?.scope.registered() ?? NOTHING),
      }
    },
    activate: () =>
      enqueue(async () => {
        if (runner.version) return false
        intent.assertNotInSafeMode()
        await startOrPause(true)
        await setState('active', null)
        return true
      }),
    deactivate() {
      runner.cancel(new Error('It was deactivated while it was being set up.'))
      return enqueue(async () => {
        if (!runner.version && state === 'inactive' && wanted().state === 'inactive') return false
        await stop(true)
        await setState('inactive', null)
        return true
      })
    },
    uninstall: (withData) =>
      enqueue(async () => {
        if (runner.version) throw new Error('It is active. Deactivate it first.')
        if (withData) await runner.uninstall(source)
        protection.open()
        await removeState(options, id)
      }),
    reload(isNewer = false) {
      if (isNewer) runner.cancel(new Error('It was saved again while it was being set up.'))
      return enqueue(async () => {
        if (!runner.version && state === 'inactive') throw new Error('It is not active.')
        intent.assertNotInSafeMode()
        if (!runner.version) {
          await startOrPause()
          return setState('active', null)
        }
        try {
          await run()
          reason = null
          await protection.store()
        } catch (error) {
          reason = error instanceof Error ? error.message : String(error)
          log.error({ err: error, extension: id }, 'extension not reloaded, previous version still active')
          throw error
        }
      })
    },
    follow: () =>
      enqueue(applyState).catch((error) => {
        log.debug({ err: error, extension: id }, 'extension not active')
        return undefined
      }),
    get isPausing() {
      return errors.isPausing
    },
    recordError: (error, where) => errors.note(runner.version, error, where),
    errorCount: () => errors.total,
    pause: (why) => pause(why, () => runner.version !== undefined || stored().state === 'active'),
    pauseForFault: (why) => pause(why, () => true),
    async deactivateUntrusted() {
      if (source.trust && stored().state !== 'inactive') await writeState(options, id, 'inactive', null)
    },
    keepClosed() {
      if (!runner.version && wanted().state !== 'inactive') protection.close()
    },
    inProgress: () => runner.version?.scope.inProgress() ?? [],
    async close(left) {
      closed = true
      runner.cancel(new Error('The host is closing.'))
      await queue
      await runner.close(left)
    },
  }
}
