import { dirname, relative } from 'node:path'
import { stackOf, toError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Options } from '../options/types.ts'
import { bundleExtension, isBundleOf } from './bundle.ts'
import type { Extension } from './extension.ts'
import { describeFault, type Fault } from './fault.ts'
import { framesOf } from './frames.ts'
import type { KeptBuilds } from './kept-builds.ts'
import type { ExtensionManager, StackOwner } from './manager.ts'
import { placeIn, type Traces } from './trace.ts'
import { writeUnexplainedEnd } from './unexplained-end.ts'

/** What is known where nobody could be named. */
const UNEXPLAINED = {
  blocked: 'the event loop was blocked for too long, and no extension could be named',
  memory: 'it used up the memory, and no extension could be named',
} as const

/** Attributes to its extension what no callback's caller sees, and counts it or pauses the extension. */
export interface Blame
  extends Pick<ExtensionManager, 'reportStray' | 'ownerOfStack' | 'reportExit' | 'reportReplaced'> {
  /** Pauses the extension that ended the last process of the site, if it is known. */
  reportFault(fault: Fault): Promise<void>
}

interface BlameParts {
  readonly log: Logger
  readonly options: Options
  /** All extensions. */
  readonly list: () => readonly Extension[]
  readonly keptBuilds: KeptBuilds
}

/** @param find - An extension by its id. */
export function createBlame(
  traces: Traces,
  find: (id: string) => Extension | undefined,
  { log, options, list, keptBuilds }: BlameParts,
): Blame {
  /** The bundle need not run any more, so its map is made again, or read from what is kept of it. */
  async function findCrashed(stack: string): Promise<{ extension: Extension; place: string | null } | undefined> {
    const [frame] = framesOf(stack)
    const extension = frame && list().find(({ source }) => isBundleOf(source.entry, frame.filename))
    if (!extension) return undefined
    const { entry } = extension.source
    const bundle = await bundleExtension(entry, keptBuilds).catch(() => undefined)
    const place = bundle && placeIn(bundle.map, frame)
    return { extension, place: place ? `${relative(dirname(dirname(entry)), place.file)}:${place.line}` : null }
  }

  function ownerOfStack(stack: string): StackOwner | undefined {
    const found = traces.topmost(stack)
    if (!found) return undefined
    const extension = find(found.extension)
    const folder = extension && dirname(dirname(extension.source.entry))
    const place = found.place && folder ? `${relative(folder, found.place.file)}:${found.place.line}` : null
    return { extension: found.extension, isService: extension?.report().isService ?? false, place }
  }

  return {
    ownerOfStack,
    reportStray(thrown) {
      const error = toError(thrown)
      const culprit = traces.blame(error)
      if (!culprit) {
        log.error({ err: error }, 'an error that nobody caught')
        return false
      }
      const { extension, isRunning, startedBy } = culprit
      const where = `code that nobody awaited${startedBy === undefined ? '' : `, started by ${startedBy}`}`
      if (isRunning) find(extension)?.noteError(error, where)
      else log.error({ err: error, extension }, 'code of an unloaded version of an extension threw, it was passed over')
      return true
    },
    reportExit(what, harm) {
      const call = new Error(`${what} was called`)
      const place = ownerOfStack(stackOf(call))?.place
      const culprit = traces.blame(call)
      if (!culprit) return false
      const { extension } = culprit
      log.error({ err: call, extension }, `an extension tried to ${harm}`)
      void find(extension)?.pause(`It tried to ${harm}: ${what}${place ? ` (${place})` : ''}.`)
      return true
    },
    reportReplaced(name, frame) {
      const owner = frame === undefined ? undefined : ownerOfStack(frame)
      const extension = owner?.extension ?? null
      log.error({ extension, place: owner?.place ?? null }, `${name}, which all code shares, was replaced`)
      if (!owner) return false
      void find(owner.extension)?.pause(
        `It replaced ${name}, which all code shares${owner.place ? ` (${owner.place})` : ''}.`,
      )
      return true
    },
    async reportFault(fault) {
      if (fault.kind === 'crash') {
        const { extension, place = null } = (await findCrashed(fault.stack)) ?? {}
        const known = { ...fault, extension: extension?.id ?? null, place }
        log.error(known, 'the last process of the site was ended by an error that nothing can catch')
        await extension?.pauseForFault(describeFault(known))
      } else if (fault.extension === null) {
        log.error(fault, `the last process of the site was ended: ${UNEXPLAINED[fault.kind]}`)
        await writeUnexplainedEnd(options, fault.kind)
      } else {
        // Who could not be interrupted left a stack at most.
        const place = fault.place ?? (await findCrashed(fault.stack))?.place ?? null
        const known = { ...fault, place }
        log.error(known, `${fault.process === 'command' ? 'a command' : 'the last process of the site'} was ended`)
        await find(fault.extension)?.pauseForFault(describeFault(known))
      }
    },
  }
}
