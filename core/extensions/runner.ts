import { waitAtMost } from '../http/closing-time.ts'
import type { AvailableExtension } from './source.ts'
import { setUpVersion, type Version, type VersionListeners, type VersionParts } from './version.ts'

/** Milliseconds for which a deactivation waits for calls in progress and cleanup. */
const STOP_TIME = 2_000

/** Runs one version of an extension at a time, and replaces it with a newer one. */
export interface Runner {
  /** The running version. */
  readonly version: Version | undefined
  /**
   * Sets up the version on disk and makes it the running one.
   *
   * @throws Error with the reason; the previous version keeps running.
   */
  start(source: AvailableExtension): Promise<void>
  /** Runs the `uninstall` function of the version on disk. @throws Error with the reason */
  uninstall(source: AvailableExtension): Promise<void>
  /** Cancels the setup in progress with this error. */
  cancel(reason: Error): void
  /** Tears down the running version, continuing in the background if it takes long. Resolves to whether there was one. */
  stop(): Promise<boolean>
  /** Tears down the running version. @param left - Milliseconds until the site is closed. */
  close(left: () => number): Promise<void>
  /** Resolves when no previous version has calls in progress. */
  retired(): Promise<void>
}

/** @param parts.checkAllowed - Throws if an extension must not run; called with the metadata of the file, then with the definition. */
export function createRunner(
  parts: VersionParts & {
    readonly checkAllowed: (isPro: boolean) => void
  },
  listeners: VersionListeners,
): Runner {
  let version: Version | undefined
  let retiring: Promise<void> = Promise.resolve()
  let setUp = new AbortController()

  function retire(left?: () => number): boolean {
    const before = version
    version = undefined
    if (before) retiring = Promise.all([retiring, before.dispose(left)]).then(() => {})
    return before !== undefined
  }

  return {
    get version() {
      return version
    },
    async start(source) {
      if (source.problem !== null) throw new Error(source.problem)
      parts.checkAllowed(source.pro)
      setUp = new AbortController()
      const next = await setUpVersion(source, parts, listeners, setUp.signal, version)
      try {
        parts.checkAllowed(next.definition.pro === true)
        next.scope.goLive()
      } catch (error) {
        await next.dispose()
        throw error
      }
      // Not awaited: calls in progress may take their time while the new version already serves requests.
      retire()
      version = next
    },
    async uninstall(source) {
      const { signal } = new AbortController()
      const uninstalled = await setUpVersion(source, parts, listeners, signal, undefined, 'uninstall')
      await uninstalled.dispose()
    },
    cancel: (reason) => setUp.abort(reason),
    async stop() {
      const wasRunning = retire()
      await waitAtMost(STOP_TIME, retiring)
      return wasRunning
    },
    async close(left) {
      retire(left)
      await waitAtMost(left() + STOP_TIME, retiring)
    },
    retired: () => retiring,
  }
}
