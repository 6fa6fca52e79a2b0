import type { Site } from '../app/create-site.ts'
import { runningUrl } from '../app/doctor/servers.ts'
import { announceNative, type Caller } from '../app/faults/native-calls.ts'
import { loadConfig } from '../core/config.ts'
import { stackOf } from '../core/errors.ts'
import { announceBlocking } from './lock-functions.ts'
import { createPrettyLog } from './pretty-log.ts'
import { refuseExits } from './refuse-exits.ts'
import { requireResources } from './require-resources.ts'
import { requireSite } from './require-site.ts'
import { createWatchdog, type Watchdog } from './supervisor/watchdog.ts'
import { catchUncaughtErrors } from './uncaught-errors.ts'

/** Of the process: a command may open its site several times, one after the other. */
const uncaughtErrors = catchUncaughtErrors()
const exits = refuseExits()
let watchdog: Watchdog | undefined
let host: Pick<Site, 'blame'> | undefined

/** With file and line, which users of a command read at once. Not of services, which no command blames: reading a source map takes its time. */
function callerWithPlace(): Caller | undefined {
  const caller = host?.blame.caller()
  if (!caller || caller.isService) return caller
  return { ...caller, place: host?.blame.ownerOfStack(stackOf(new Error()))?.place }
}

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
  requireResources()
  // Imported late: invalid calls do not need it, and it takes most of a command's time.
  const { createSite } = await import('../app/create-site.ts')
  // The pages that a command purges have the URLs of the running site.
  const url = siteDir === undefined ? await runningUrl(loadConfig()) : undefined
  const site = await createSite(
    { logLevel, ...(siteDir !== undefined && { siteDir }), ...(url !== undefined && { url }) },
    {
      runExtensions,
      logTo: process.stderr.isTTY ? createPrettyLog(process.stderr) : 'stderr',
      beforeLoad(opened) {
        uncaughtErrors.blame(opened)
        exits.blame(opened)
        host = opened
        if (!watchdog) announceBlocking((native) => announceNative(native, callerWithPlace))
        watchdog ??= createWatchdog('command')
        watchdog.watch(opened)
      },
    },
  )
  // A site in a separate folder is a temporary one.
  if (site.firstAdministrator && siteDir === undefined) printFirstAdministrator(site.firstAdministrator)
  try {
    return await work(site)
  } finally {
    await site.close()
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
