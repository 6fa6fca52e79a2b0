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
 * Opens the site without serving it, does the work, and closes it again.
 * @param options.runExtensions - `false` for work that must be possible even if an extension prevents the site from starting.
 * @param options.siteDir - A folder other than the configured one.
 * @param options.makesSite - `true` for a command that may create a site; others require an existing one.
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
  // Imported late: invalid calls do not need it, and it takes most of a command's time.
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
  // A site in a separate folder is a temporary one.
  if (host.firstAdministrator && siteDir === undefined) printFirstAdministrator(host.firstAdministrator)
  try {
    return await work(host)
  } finally {
    await host.close()
  }
}

/** Prints the generated password, which is shown only once. */
export function printFirstAdministrator({ login, password }: { login: string; password: string | null }): void {
  console.log(
    password === null
      ? `Administrator "${login}" created with the configured password.`
      : `Administrator created. Its password is shown only once:\n  username   ${login}\n  password   ${password}`,
  )
}
