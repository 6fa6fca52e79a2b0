import { types } from 'node:util'
import type { Site } from '../app/create-site.ts'
import { toError } from '../core/errors.ts'
import { isOutOfDescriptors } from '../core/files/file-descriptors.ts'
import { restoreStacks } from './keep-intrinsics.ts'

type Blamed = Pick<Site, 'blame' | 'log'>

/**
 * Prevents an uncaught error from ending the process if an extension is responsible; it then counts like any error of that extension. A bug
 * of the host itself ends the process, because its state is unknown.
 * @param restore - Restores built-in functions that an extension has replaced, which explains errors of the host. Returns whether there were any.
 * @returns `blame`, for `createSite`: afterward that host attributes errors.
 */
export function catchUncaughtErrors(restore: () => boolean = () => false): { blame(host: Blamed): void } {
  let host: Blamed | undefined
  return {
    blame(next) {
      if (!host) listen(() => host ?? next, restore)
      host = next
    },
  }
}

function listen(host: () => Blamed, restore: () => boolean): void {
  process.on('unhandledRejection', (reason) => {
    restoreStacks()
    host().blame.reportUncaught(reason)
  })
  process.on('uncaughtException', (thrown) => {
    restoreStacks()
    if (host().blame.reportUncaught(thrown) || restore()) return
    const error = toError(thrown)
    // Not thrown by the product, whose state is intact: by a listener of an extension that no one can name.
    if (!types.isNativeError(thrown)) return
    if (isOutOfDescriptors(error)) {
      // Descriptors become available again; ending the process would make the site unavailable.
      host().log.error({ err: error }, 'could not open file')
      return
    }
    host().log.error({ err: error }, 'process ended by an uncaught error')
    process.exit(1)
  })
}
