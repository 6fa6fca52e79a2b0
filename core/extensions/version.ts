import { shorten, toError } from '../errors.ts'
import { readDefinition } from './definition.ts'
import type { Origins } from './origin.ts'
import { createScope, type ErrorListener, type HostParts, type Scope } from './scope.ts'
import type { AvailableExtension, Place } from './source.ts'
import type { ExtensionDefinition } from './types.ts'

/** One version of an extension, set up. */
export interface Version {
  readonly definition: ExtensionDefinition
  /** Of its code. */
  readonly hash: string
  readonly scope: Scope
  /** Undoes everything; never rejects. @param left - Milliseconds that are left for it, where the site closes. */
  dispose(left?: () => number): Promise<void>
}

/** Characters of an error's message in the reason why an extension is paused. */
const LONGEST_MESSAGE = 1_000

/** What one hears of a version that runs. */
export interface VersionListeners {
  /** Takes what its callbacks throw. */
  onError(version: Version, ...error: Parameters<ErrorListener>): void
  /** It protects content by a callback that its `setup` had not registered. */
  onProtect(): void
  /** Code of another extension threw while this one was set up. */
  onOtherError(extension: string, error: unknown): void
}

export interface VersionParts {
  readonly host: HostParts
  readonly origins: Origins
  /** Where in an extension's own files an error came from. May rewrite its stack. */
  locate(error: unknown): Place | undefined
  /** Calls what is run as an extension is loaded, unless it is a part of the product. */
  aroundLoading<Result>(load: () => Result): Result
  /** Milliseconds that `setup` may take, with the callbacks of `init` and `rest_api_init`. */
  readonly setupTimeout: number
}

/**
 * Loads the code of an extension and sets it up, with nothing of it visible yet.
 *
 * @param running - The version it is to replace.
 * @param cancel - Fires when the set-up is no longer wanted; it then ends with the reason as its error.
 * @throws Error whose message says what is wrong, in which file and line; nothing is left behind.
 */
export async function setUpVersion(
  source: AvailableExtension,
  { host, origins, locate, aroundLoading, setupTimeout }: VersionParts,
  { onError, onProtect, onOtherError }: VersionListeners,
  cancel: AbortSignal,
  running?: Version,
): Promise<Version> {
  const { isService } = source
  const code = await source.load()
  const context = origins.contextOf(source.id, code.name, isService)
  const load = <Result>(work: () => Result) => (isService ? work() : aroundLoading(work))
  let scope: Scope | undefined
  let version: Version | undefined
  try {
    const definition = readDefinition(context.run(() => load(code.evaluate)))
    if (definition.id !== source.id) {
      throw new Error(`Its id is "${definition.id}", but "${source.id}" was expected. Write the id as a plain text.`)
    }
    scope = createScope(
      source.id,
      host,
      {
        onError(error, where, requestId) {
          if (version) onError(version, error, where, requestId)
          else host.log.error({ err: error, extension: source.id, where }, 'extension setup failed')
        },
        onProtect,
        context: isService ? { ...context, run: context.runAmongOthers } : context,
        isService,
        placeOf: (error) => locate(error)?.inFolder,
      },
      running?.scope,
    )
    const { host: scoped, replay } = scope
    const late = `Its setup took longer than ${setupTimeout} ms. (${code.entry})`
    await inTime(
      context.run(async () => {
        await load(() => definition.setup(scoped))
        await replay()
      }),
      { timeout: setupTimeout, late, cancel },
    )
    const { dispose } = scope
    version = {
      definition,
      hash: code.hash,
      scope,
      async dispose(left) {
        await dispose(true, left)
        code.unload()
      },
    }
    return version
  } catch (error) {
    const place = locate(error)
    const isOwn = place === undefined || place.extension === source.id
    if (!isOwn) onOtherError(place.extension, error)
    const reason = isOwn
      ? describeError(error, place)
      : `Extension "${place.extension}" failed during setup: ${describeError(error)}`
    await scope?.dispose(false)
    code.unload()
    throw new Error(reason, { cause: error })
  }
}

/** The message, and the author's file and line that it came from. */
export function describeError(error: unknown, place?: Place): string {
  const message = shorten(toError(error).message, LONGEST_MESSAGE)
  return place ? `${message} (${place.shown})` : message
}

/** Does not wait for work that takes longer, or that is no longer wanted. */
async function inTime(
  work: Promise<void>,
  { timeout, late, cancel }: { timeout: number; late: string; cancel: AbortSignal },
): Promise<void> {
  const ended = Promise.withResolvers<never>()
  const timer = setTimeout(() => ended.reject(new Error(late)), timeout)
  const stop = () => ended.reject(cancel.reason)
  cancel.addEventListener('abort', stop)
  try {
    cancel.throwIfAborted()
    await Promise.race([work, ended.promise])
  } finally {
    clearTimeout(timer)
    cancel.removeEventListener('abort', stop)
  }
}
