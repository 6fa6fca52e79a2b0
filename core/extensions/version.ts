import { shorten, toError } from '../errors.ts'
import { whileLoaded } from '../hooks/waiting.ts'
import { readDefinition } from './definition.ts'
import type { Origins } from './origin.ts'
import { createScope, type ErrorListener, type HostParts, type Scope } from './scope.ts'
import type { AvailableExtension, Place } from './source.ts'
import type { ExtensionDefinition } from './types.ts'

/** One version of an extension that was set up. */
export interface Version {
  readonly definition: ExtensionDefinition
  /** Hash of its code. */
  readonly hash: string
  readonly scope: Scope
  /** Undoes everything; never rejects. @param left - Milliseconds until the site is closed. */
  dispose(left?: () => number): Promise<void>
}

/** Maximum length of an error message in the reason for a pause, in characters. */
const MAX_MESSAGE_LENGTH = 1_000

/** Events of a running version. */
export interface VersionListeners {
  /** One of its callbacks failed. */
  onError(version: Version, ...error: Parameters<ErrorListener>): void
  /** It registered a callback that protects content after `setup`. */
  onProtect(): void
  /** Code of another extension threw during its setup. */
  onOtherError(extension: string, error: unknown): void
}

export interface VersionParts {
  readonly host: HostParts
  readonly origins: Origins
  /** Where in an extension's own files an error occurred. May rewrite its stack. */
  locate(error: unknown): Place | undefined
  /** Wraps the code that runs while an extension is loaded, except for services. */
  aroundLoading<Result>(load: () => Result): Result
  /** Time limit in milliseconds for `setup` and the callbacks for `init` and `rest_api_init`. */
  readonly setupTimeout: number
}

/**
 * Loads and sets up an extension without making anything of it visible.
 *
 * @param running - The version that it replaces.
 * @param task - Which of its functions runs.
 * @param cancel - Cancels the setup, which then fails with the signal's reason.
 * @throws Error describing the problem, with file and line; in that case everything is undone
 */
export async function setUpVersion(
  source: AvailableExtension,
  { host, origins, locate, aroundLoading, setupTimeout }: VersionParts,
  { onError, onProtect, onOtherError }: VersionListeners,
  cancel: AbortSignal,
  running?: Version,
  task: 'setup' | 'uninstall' = 'setup',
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
      throw new Error(
        `Its ID is "${definition.id}", but "${source.id}" was expected. Write the ID as a string literal.`,
      )
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
    const setup = context.run(async () => {
      await load(() => definition[task]?.(scoped))
      await replay()
    })
    const late = new AbortController()
    const timeoutMessage = `Its setup took longer than ${setupTimeout} ms. (${code.entry})`
    const timer = setTimeout(() => late.abort(new Error(timeoutMessage)), setupTimeout)
    const signal = AbortSignal.any([cancel, late.signal])
    await whileLoaded(setup, { signal }).finally(() => clearTimeout(timer))
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

/** The message with the author's file and line. */
export function describeError(error: unknown, place?: Place): string {
  const message = shorten(toError(error).message, MAX_MESSAGE_LENGTH)
  return place ? `${message} (${place.shown})` : message
}
