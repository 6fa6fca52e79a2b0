import type { Readable } from 'node:stream'

/** Describes running code of an owner for the log: a route, or a hook with the callback's file and line. */
export interface Description {
  (): string
  /** Created where the code was registered: its stack locates errors that have none of their own. */
  readonly added?: Error | undefined
}

/**
 * The owner of registrations: one version of an extension, or the host itself. Errors are reported to it, and its registrations are
 * removed with it.
 */
export interface Owner {
  /** Two owners with the same id are two versions of one extension. */
  readonly id: string
  /** Aborted when the owner is unloaded: its registrations are removed, and the host no longer waits for its code. */
  readonly signal: AbortSignal
  /**
   * Code of the owner threw, took too long, or returned an invalid value.
   *
   * @param where - The hook, route, job or ability: `the_content`, `GET /shop/v1/products`, `job backup`.
   * @param requestId - Set if the error failed a REST request.
   */
  onError(error: unknown, where: string, requestId?: string): void
  /** Calls code of the owner, so that everything it starts is attributed to the owner. */
  run?<Result>(work: () => Result, what: Description): Result
  /** A filter callback returned `undefined`; the value was left unchanged. */
  onUndefined?(hook: string): void
  /** The caller stopped waiting for a promise: it took too long, or the filter is synchronous. */
  onAbandoned?(call: PromiseLike<unknown>): void
  /** A callback that protects content was registered after the owner's callbacks went live. */
  onProtect?(hook: string): void
  /** A route's handler returned a stream. */
  onStream?(stream: Readable, route: string): void
}

/** The registrations of one version of an owner in one registry: invisible until `commit`, removed by disposing. */
export interface Staged extends Disposable {
  /**
   * Makes all of it visible at once.
   *
   * @param replacing - The registrations of the replaced version in the same registry: readers never see both or neither.
   * @throws Error if there is a conflict; nothing changes then
   */
  commit(replacing?: Staged): void
}

/** The host itself, as the owner of its parts' registrations. @param signal - Default: one that is never aborted. */
export function coreOwner(onError: Owner['onError'], signal: AbortSignal = new AbortController().signal): Owner {
  return { id: 'core', signal, onError }
}
