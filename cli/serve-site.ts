import type { Site } from '../app/create-site.ts'
import { type Serving, serve } from '../app/serve.ts'
import { keepIntrinsics } from './keep-intrinsics.ts'
import { refuseExits } from './refuse-exits.ts'
import type { StartOptions } from './start-options.ts'
import type { Supervisor } from './supervisor/supervised.ts'
import { createWatchdog } from './supervisor/watchdog.ts'
import { catchUncaughtErrors } from './uncaught-errors.ts'
import { printFirstAdministrator } from './with-host.ts'

/**
 * Serves the site until a signal ends it.
 * @param supervisor - The supervisor that restarts the site; the watchdog runs only with one.
 */
export async function serveSite(
  { port, host: address, watch, safeMode = false }: StartOptions,
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
  const watchdog = supervisor && createWatchdog('server')
  let opened: Site | undefined
  let site: Serving
  try {
    site = await serve(given, {
      safeMode,
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
    throw opened ? explainListening(error, opened.config) : error
  }
  try {
    console.log(`Pentad serves ${site.url}  (site folder ${site.host.config.siteDir})`)
    await supervisor?.send({ port: Number(new URL(site.url).port) })
    if (safeMode) console.log('Safe mode: only the services are active.')
    if (watch) console.log('Watching extensions for changes.')
    await Promise.race([asked, site.failed])
  } finally {
    await site.close()
  }
}

/** Says what to do where the address can't be had. */
function explainListening(error: unknown, { host, port }: { host: string; port: number }): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    return new Error(`Port ${port} is already in use. Choose another: npm run pentad -- start --port 8081`, {
      cause: error,
    })
  }
  if (code === 'EACCES') {
    return new Error(
      `Port ${port} requires elevated privileges. Use 1024 or higher: npm run pentad -- start --port 8080`,
      {
        cause: error,
      },
    )
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Error(
      `${host} is not an address of this machine. Choose another: npm run pentad -- start --host 127.0.0.1`,
      {
        cause: error,
      },
    )
  }
  return error
}
