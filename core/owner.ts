import type { Readable } from 'node:stream'

/**
 * Whoever registers something at the host: one version of an extension, or the host itself. What goes wrong with it is
 * told to its owner, and all of it goes with the owner.
 */
export interface Owner {
  /** Two owners with the same id are two versions of one extension. */
  readonly id: string
  /** Fires when the owner is unloaded: what it registered goes, and nobody waits for its code any longer. */
  readonly signal: AbortSignal
  /**
   * Code of the owner threw, took too long, or answered what it may not.
   *
   * @param where - The hook, route, job or ability: `the_content`, `GET /shop/v1/products`, `job backup`.
   * @param requestId - Set if a REST request failed of it.
   */
  onError(error: unknown, where: string, requestId?: string): void
  /** Calls code of the owner, so that what it starts is known to be the owner's. @param what - The code, for the log. */
  run?<Result>(work: () => Result, what: () => string): Result
  /** A filter callback returned `undefined`; the value was left as it was. */
  onUndefined?(hook: string): void
  /** Nobody waits for the promise of a call: it took too long, or the filter is synchronous. */
  onAbandoned?(call: PromiseLike<unknown>): void
  /** A callback that protects content was registered after the owner's callbacks went live. */
  onProtect?(hook: string): void
  /** A route's handler answered a stream. */
  onStream?(stream: Readable, route: string): void
}

/**
 * What one version of an owner registers in one registry: nobody sees it before `commit`, and disposing of it takes it
 * out again, seen or not.
 */
export interface Staged extends Disposable {
  /**
   * Shows all of it in one stroke.
   *
   * @param replacing - What the version that it replaces registered in the same registry: nobody ever sees both or neither.
   * @throws Error what stands in the way; then everything is as before
   */
  commit(replacing?: Staged): void
}

/** The host itself, as owner of what its parts register. @param signal - Default: one that never fires. */
export function coreOwner(onError: Owner['onError'], signal = new AbortController().signal): Owner {
  return { id: 'core', signal, onError }
}
