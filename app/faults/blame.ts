import { stackOf, toError, withOrigin } from '../../core/errors.ts'
import type { ExtensionManager } from '../../core/extensions/manager.ts'
import { running } from '../../core/extensions/running-code.ts'
import type { HookRegistry } from '../../core/hooks/types.ts'
import type { Logger } from '../../core/log.ts'
import type { Traces } from '../loader/trace.ts'
import type { Caller } from './native-calls.ts'

/** Attributes errors outside of callbacks to the responsible extension, and counts them or pauses it. */
export interface Blame {
  /**
   * For `unhandledRejection` and `uncaughtException`: whether an extension is responsible for the error. If so, it counts like any error of
   * that extension, unless the responsible version is unloaded. Logs the error in any case.
   */
  reportUncaught(error: unknown): boolean
  /**
   * The extension whose code is running in a stack that was captured from outside, for example of a blocked event loop: the owner of the
   * topmost frame that belongs to an extension; `undefined` if there is none.
   */
  ownerOfStack(stack: string): StackOwner | undefined
  /**
   * For calls that would end or change the process, such as `process.exit`: whether an extension is the caller. If so, it is paused.
   *
   * @param what - What was called: `process.exit(1)`.
   * @param harm - What that would do: `end the whole site`.
   */
  reportExit(what: string, harm: string): boolean
  /**
   * For a built-in JavaScript function, such as `Array.prototype.map`, that was replaced: pauses the extension
   * that defined the replacement.
   *
   * @param frame - Where the replacement is defined, as a stack frame; `undefined` if unknown.
   * @returns whether an extension could be named
   */
  reportReplaced(name: string, frame: string | undefined): boolean
  /** The extension whose code is running, or started the running code; `undefined` if there is none or it is unknown. */
  caller(): Caller | undefined
}

/** The extension whose code is running in a stack. */
export interface StackOwner {
  readonly extension: string
  readonly isService: boolean
  /** The author's file and line: `sieve/index.ts:12`; `null` of a version that has ended. */
  readonly place: string | null
}

export function createBlame(parts: {
  readonly extensions: Pick<ExtensionManager, 'get' | 'origin'>
  readonly hooks: Pick<HookRegistry, 'currentFilter'>
  readonly log: Logger
  readonly traces: Traces
}): Blame {
  const { extensions, hooks, log, traces } = parts

  function ownerOfStack(stack: string): StackOwner | undefined {
    const found = traces.topmost(stack)
    return (
      found && {
        extension: found.extension,
        isService: extensions.get(found.extension)?.isService ?? false,
        place: found.place?.shown ?? null,
      }
    )
  }

  return {
    ownerOfStack,
    reportUncaught(thrown) {
      const origin = extensions.origin()
      const failing = origin && extensions.get(origin.extension)
      if (failing?.isPausing) {
        // Only counted: reading and mapping the stacks of thousands of errors would delay all requests.
        failing.recordError(thrown, 'unawaited code')
        return true
      }
      // Not the converted error, which has frames of the host if a string was thrown.
      const culprit = traces.blame(thrown, origin)
      if (!culprit) {
        const startedBy = origin && `${origin.extension}: ${origin.what?.() ?? 'setup'}`
        log.error({ err: toError(thrown), startedBy }, 'uncaught error')
        return false
      }
      const { extension, isRunning, startedBy } = culprit
      const where = `unawaited code${startedBy === undefined ? '' : `, started by ${startedBy()}`}`
      const error = startedBy?.added ? withOrigin(thrown, startedBy.added) : toError(thrown)
      if (isRunning) extensions.get(extension)?.recordError(error, where)
      else log.error({ err: error, extension }, 'error in an unloaded version of an extension ignored')
      return true
    },
    reportExit(what, harm) {
      const call = new Error(`${what} was called`)
      const place = ownerOfStack(stackOf(call))?.place
      const culprit = traces.blame(call, extensions.origin())
      if (!culprit) return false
      const { extension } = culprit
      log.error({ err: call, extension }, `extension tried to ${harm}`)
      void extensions.get(extension)?.pause(`It tried to ${harm}: ${what}${place ? ` (${place})` : ''}.`)
      return true
    },
    reportReplaced(name, frame) {
      const owner = frame === undefined ? undefined : ownerOfStack(frame)
      const extension = owner?.extension ?? null
      log.error({ extension, place: owner?.place ?? null }, `global ${name} overwritten`)
      if (!owner) return false
      void extensions
        .get(owner.extension)
        ?.pause(`It overwrote the global ${name}${owner.place ? ` (${owner.place})` : ''}.`)
      return true
    },
    caller() {
      const origin = extensions.origin()
      const number = running[0] || origin?.number
      if (!number) return undefined
      const started = origin?.number === number ? origin : undefined
      return {
        number,
        isService: (started && extensions.get(started.extension)?.isService) ?? false,
        what: hooks.currentFilter() || started?.what?.() || null,
      }
    },
  }
}
