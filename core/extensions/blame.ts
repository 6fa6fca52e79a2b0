import { dirname, relative } from 'node:path'
import type { Logger } from '../log.ts'
import type { Extension } from './extension.ts'
import type { Fault } from './fault.ts'
import { describeFault } from './faults.ts'
import type { ExtensionManager, StackOwner } from './manager.ts'
import type { Traces } from './trace.ts'

/** Attributes to its extension what no callback's caller sees, and counts it or pauses the extension. */
export interface Blame
  extends Pick<ExtensionManager, 'reportStray' | 'ownerOfStack' | 'reportExit' | 'reportReplaced'> {
  /** Pauses the extension that ended the last process of the site, if it is known. */
  reportFault(fault: Fault): Promise<void>
}

/** @param find - An extension by its id. */
export function createBlame(traces: Traces, find: (id: string) => Extension | undefined, log: Logger): Blame {
  function ownerOfStack(stack: string): StackOwner | undefined {
    return toOwner(traces.topmost(stack))
  }

  function toOwner(found: ReturnType<Traces['topmost']>): StackOwner | undefined {
    if (!found) return undefined
    const extension = find(found.extension)
    const folder = extension && dirname(dirname(extension.source.entry))
    const place = found.place && folder ? `${relative(folder, found.place.file)}:${found.place.line}` : null
    return { extension: found.extension, isService: extension?.report().isService ?? false, place }
  }

  return {
    ownerOfStack,
    reportStray(error) {
      const culprit = traces.blame(error)
      if (!culprit) {
        log.error({ err: error }, 'an error that nobody caught')
        return false
      }
      const { extension, isRunning } = culprit
      if (isRunning) find(extension)?.noteError(error, 'code that nobody awaited')
      else log.error({ err: error, extension }, 'code of an unloaded version of an extension threw, it was passed over')
      return true
    },
    reportExit(what, harm) {
      const call = new Error(`${what} was called`)
      const place = ownerOfStack(call.stack ?? '')?.place
      const culprit = traces.blame(call)
      if (!culprit) return false
      const { extension } = culprit
      log.error({ err: call, extension }, `an extension tried to ${harm}`)
      void find(extension)?.pause(`It tried to ${harm}: ${what}${place ? ` (${place})` : ''}.`)
      return true
    },
    reportReplaced(name, replacement) {
      const code = typeof replacement === 'function' ? Function.prototype.toString.call(replacement) : undefined
      const owner = code === undefined ? undefined : toOwner(traces.writer(code))
      const extension = owner?.extension ?? null
      log.error({ extension, place: owner?.place ?? null }, `${name}, which all code shares, was replaced`)
      if (!owner) return
      void find(owner.extension)?.pause(
        `It replaced ${name}, which all code shares${owner.place ? ` (${owner.place})` : ''}.`,
      )
    },
    async reportFault(fault) {
      log.error(fault, 'the last process of the site was ended')
      if (fault.extension !== null) await find(fault.extension)?.pauseForFault(describeFault(fault))
    },
  }
}
