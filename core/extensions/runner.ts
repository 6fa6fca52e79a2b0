import { waitAtMost } from '../http/closing-time.ts'
import type { AvailableExtension } from './source.ts'
import { setUpVersion, type Version, type VersionListeners, type VersionParts } from './version.ts'

/** Milliseconds that whoever switches an extension off waits for its calls in progress and its clean-up. */
const STOP_TIME = 2_000

/** Runs one version of an extension at a time, and lets a newer one take over from it. */
export interface Runner {
  /** The version that runs. */
  readonly version: Version | undefined
  /**
   * Sets the version on the disk up and lets it take over.
   *
   * @throws Error with the reason; what ran before goes on.
   */
  start(source: AvailableExtension): Promise<void>
  /** Ends the set-up in progress with this as its error. */
  cancel(reason: Error): void
  /** Tears the running version down; what takes long of that goes on in the background. Resolves to whether there was one. */
  stop(): Promise<boolean>
  /** Tears the running version down. @param left - Milliseconds that are left until the site is closed. */
  close(left: () => number): Promise<void>
  /** Resolves when no former version has calls in progress any more. */
  retired(): Promise<void>
}

/** @param parts.refuse - Throws if an extension may not run: it is asked with what the files say, then with the definition. */
export function createRunner(
  parts: VersionParts & {
    readonly refuse: (isPro: boolean) => void
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
      parts.refuse(source.pro)
      setUp = new AbortController()
      const next = await setUpVersion(source, parts, listeners, setUp.signal, version)
      try {
        parts.refuse(next.definition.pro === true)
        next.scope.goLive()
      } catch (error) {
        await next.dispose()
        throw error
      }
      // Not awaited: calls under way may take their time, the new version serves already.
      retire()
      version = next
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
