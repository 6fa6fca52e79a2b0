import type { Site } from '../app/create-site.ts'
import { type Serving, serve } from '../app/serve.ts'
import { readConfig } from '../core/config.ts'
import { explainListening, explainStart } from './explain-start.ts'
import { keepIntrinsics } from './keep-intrinsics.ts'
import { createPrettyLog } from './pretty-log.ts'
import { refuseExits } from './refuse-exits.ts'
import type { StartOptions } from './start-options.ts'
import type { Supervisor } from './supervisor/supervised.ts'
import { createWatchdog } from './supervisor/watchdog.ts'
import { catchUncaughtErrors } from './uncaught-errors.ts'
import { printFirstAdministrator } from './with-host.ts'

/** Time in ms for clients with an open connection to send their next request, whose response says that the connection closes. */
const DRAIN = 500

/** Time in ms after the start until the thread that watches the event loop starts, which takes a tenth of the CPU time of a start. */
const FIRST_REQUESTS = 1000

/**
 * Serves the site until a signal ends it.
 * @param supervisor - The supervisor that restarts the site; the watchdog runs only with one.
 */
export async function serveSite(
  { command = 'start', port, host: address, watch, safeMode = false, allowsAllPermissions }: StartOptions,
  supervisor: Supervisor | undefined,
): Promise<void> {
  const exits = refuseExits()
  const asked = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT']) {
      process.on(signal, () => resolve())
    }
  })
  const given = { ...(port && { port }), ...(address && { host: address }) }
  const intrinsics = keepIntrinsics()
  const uncaughtErrors = catchUncaughtErrors(intrinsics.restore)
  const { worker = 1, workers = 1 } = supervisor ?? {}
  const isFirst = worker === 1
  const watchdog = supervisor && createWatchdog('server', supervisor.workers)
  let opened: Site | undefined
  let site: Serving
  try {
    site = await serve(given, {
      drain: DRAIN,
      safeMode,
      isFirst,
      isAlone: workers === 1,
      allowsAllPermissions,
      logTo: process.stdout.isTTY ? createPrettyLog(process.stdout) : 'stdout',
      beforeLoad(host) {
        uncaughtErrors.blame(host)
        exits.blame(host)
        intrinsics.blame(host)
        void supervisor?.send({ siteDir: host.config.siteDir })
        watchdog?.watch(host)
      },
      closed: watchdog?.rest,
      opened(host) {
        // Immediately, because the password cannot be shown again if something fails later.
        if (host.firstAdministrator) printFirstAdministrator(host.firstAdministrator)
        if (watch) host.loader.watch(host.extensions)
        opened = host
      },
    })
  } catch (error) {
    throw opened
      ? explainListening(error, opened.config, command)
      : explainStart(error, readConfig(given, process.env).config)
  }
  try {
    if (isFirst) {
      const how = workers > 1 ? ` with ${workers} workers` : ''
      console.log(`Pentad is running at ${site.url}${how}  (site folder ${site.host.config.siteDir})`)
      const { port: configuredPort, url } = site.host.config
      console.log(`Log in at ${configuredPort === 0 ? site.url : url}/wp-admin/`)
    }
    await supervisor?.send({ port: Number(new URL(site.url).port) })
    setTimeout(() => watchdog?.start(), FIRST_REQUESTS).unref()
    if (isFirst && safeMode) console.log('Safe mode: only the services are active.')
    if (isFirst && watch) console.log('Watching extensions for changes.')
    await Promise.race([asked, site.failed])
  } finally {
    await site.close()
  }
}
