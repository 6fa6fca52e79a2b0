import type { Site } from '../app/create-site.ts'
import { toError } from '../core/errors.ts'
import { isOutOfDescriptors } from '../core/files/file-descriptors.ts'
import { restoreStacks } from './keep-intrinsics.ts'

type Blamed = Pick<Site, 'blame' | 'log'>

/**
 * Keeps an uncaught error from ending the process where an extension is to blame; there it counts like any error of that
 * extension. A bug of the host itself ends the process, since the state that it leaves behind is unknown.
 *
 * @returns `blame`, for `createSite`: from then on that host tells whose fault an error is.
 */
export function catchUncaughtErrors(): { blame(host: Blamed): void } {
  let host: Blamed | undefined
  return {
    blame(next) {
      if (!host) listen(() => host ?? next)
      host = next
    },
  }
}

function listen(host: () => Blamed): void {
  process.on('unhandledRejection', (reason) => {
    restoreStacks()
    host().blame.reportUncaught(reason)
  })
  process.on('uncaughtException', (thrown) => {
    restoreStacks()
    if (host().blame.reportUncaught(thrown)) return
    const error = toError(thrown)
    if (isOutOfDescriptors(error)) {
      // Whatever could not be opened, others get descriptors back: ending would take the site from everybody.
      host().log.error({ err: error }, 'could not open file')
      return
    }
    host().log.error({ err: error }, 'process ended by an uncaught error')
    process.exit(1)
  })
}
