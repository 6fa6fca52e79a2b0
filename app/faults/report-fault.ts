import { writeUnexplainedEnd } from '../../cms/admin/unexplained-end.ts'
import type { ExtensionManager } from '../../core/extensions/manager.ts'
import type { Logger } from '../../core/log.ts'
import type { Options } from '../../core/options/types.ts'
import type { Loader } from '../loader/index.ts'
import { describeFault, type Fault } from './fault.ts'

/** Messages if no extension was identified. */
const UNEXPLAINED = {
  blocked: 'event loop blocked for too long, no extension identified',
  memory: 'out of memory, no extension identified',
} as const

/** Logs why the last process of the site ended, and pauses the extension that ended it, if it is known. */
export async function reportFault(
  fault: Fault,
  parts: {
    readonly extensions: Pick<ExtensionManager, 'get'>
    readonly loader: Pick<Loader, 'findCrashed'>
    readonly log: Logger
    readonly options: Options
  },
): Promise<void> {
  const { extensions, loader, log, options } = parts
  if (fault.kind === 'crash') {
    const { extension = null, place = null } = (await loader.findCrashed(fault.stack)) ?? {}
    const known = { ...fault, extension, place }
    log.error(known, 'previous process ended by a fatal error')
    if (extension !== null) await extensions.get(extension)?.pauseForFault(describeFault(known))
  } else if (fault.extension === null) {
    log.error(fault, `previous process ended: ${UNEXPLAINED[fault.kind]}`)
    await writeUnexplainedEnd(options, fault.kind)
  } else {
    // A process that could not be interrupted has recorded a stack at most.
    const place = fault.place ?? (await loader.findCrashed(fault.stack))?.place ?? null
    const known = { ...fault, place }
    log.error(known, `${fault.process === 'command' ? 'command' : 'previous process'} ended`)
    await extensions.get(fault.extension)?.pauseForFault(describeFault(known))
  }
}
