import type { Host } from '../core/host.ts'

/**
 * Keeps an error that nobody caught from ending the process where an extension is to blame; there it counts like any
 * throw of that extension. A bug of the host itself ends the process, since nobody knows what it left behind.
 */
export function catchStrays({ extensions, log }: Pick<Host, 'extensions' | 'log'>): void {
  process.on('unhandledRejection', (reason) => extensions.reportStray(reason))
  process.on('uncaughtException', (error) => {
    if (extensions.reportStray(error)) return
    log.error({ err: error }, 'a bug ended the process')
    process.exit(1)
  })
}
