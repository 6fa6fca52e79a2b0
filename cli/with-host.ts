import type { Site } from '../app/create-site.ts'
import { refuseExits } from './refuse-exits.ts'
import { requireSite } from './require-site.ts'
import { createWatchdog, type Watchdog } from './supervisor/watchdog.ts'
import { catchUncaughtErrors } from './uncaught-errors.ts'

/** Of the process: a command may open its site several times, one after the other. */
const uncaughtErrors = catchUncaughtErrors()
const exits = refuseExits()
let watchdog: Watchdog | undefined

/**
 * Opens the site without serving it, does the work and closes it again, whatever happens.
 *
 * @param options.runExtensions - `false` for what has to work even where an extension keeps the site from starting.
 * @param options.siteDir - Another folder than the configured one.
 * @param options.makesSite - `true` for a command that may begin a new site; the others refuse a folder without one.
 */
export async function withHost<Result>(
  work: (host: Site) => Promise<Result>,
  {
    logLevel = 'warn',
    runExtensions = true,
    makesSite = false,
    siteDir,
  }: { logLevel?: 'silent' | 'warn'; runExtensions?: boolean; makesSite?: boolean; siteDir?: string } = {},
): Promise<Result> {
  if (!makesSite) requireSite()
  // Whatever is refused before needs none of it, and it is most of what a command takes.
  const { createSite } = await import('../app/create-site.ts')
  const host = await createSite(
    { logLevel, ...(siteDir !== undefined && { siteDir }) },
    {
      runExtensions,
      logTo: 'stderr',
      beforeLoad(opened) {
        uncaughtErrors.blame(opened)
        exits.blame(opened)
        watchdog ??= createWatchdog('command')
        watchdog.watch(opened)
      },
    },
  )
  // A site in a folder of its own is a temporary one.
  if (host.firstAdministrator && siteDir === undefined) printFirstAdministrator(host.firstAdministrator)
  try {
    return await work(host)
  } finally {
    await host.close()
  }
}

/** Tells the one time that it can be told how to sign in. */
export function printFirstAdministrator({ login, password }: { login: string; password: string | null }): void {
  console.log(
    password === null
      ? `Administrator "${login}" created with the configured password.`
      : `Administrator created. Its password is shown only this once:\n  user name  ${login}\n  password   ${password}`,
  )
}
