import { flushCompileCache } from 'node:module'
import { Command } from 'commander'
import type { Host } from '../core/host.ts'
import { type Serving, serve } from '../core/serve.ts'
import { catchStrays } from './strays.ts'
import { printFirstAdministrator } from './with-host.ts'

/** `pentad start`: serves the site, and makes it where there is none. */
export function startCommand(): Command {
  return new Command('start')
    .description('serve the site until SIGTERM or Ctrl+C')
    .option('--port <number>', 'port to listen on (default: PENTAD_PORT or 8080)')
    .option('--host <address>', 'address to listen on (default: PENTAD_HOST or 127.0.0.1)')
    .option('--watch', 'reload an extension when one of its files is saved')
    .action(start)
}

async function start({ port, host: address, watch }: { port?: string; host?: string; watch?: boolean }): Promise<void> {
  const asked = new Promise((resolve) => {
    process.on('SIGTERM', resolve)
    process.on('SIGINT', resolve)
  })
  const given = { ...(port && { port }), ...(address && { host: address }) }
  const strays = catchStrays()
  let opened: Host | undefined
  let site: Serving
  try {
    site = await serve(given, {
      beforeLoad: strays.blame,
      opened(host) {
        // At once: whatever goes wrong from here on, nobody could ask for it again.
        if (host.firstAdministrator) printFirstAdministrator(host.firstAdministrator)
        if (watch) host.extensions.watch()
        opened = host
      },
    })
  } catch (error) {
    throw opened ? explainListening(error, opened.config) : error
  }
  try {
    console.log(`Pentad serves ${site.url}  (site folder ${site.host.config.siteDir})`)
    if (watch) console.log('Extensions are reloaded when they are saved.')
    flushCompileCache()
    await Promise.race([asked, site.failed])
  } finally {
    await site.close()
  }
}

/** Says what to do where the address can't be had. */
function explainListening(error: unknown, { host, port }: { host: string; port: number }): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    return new Error(`Port ${port} is in use. Choose another: npm run pentad -- start --port 8081`, { cause: error })
  }
  if (code === 'EACCES') {
    return new Error(`Port ${port} needs more rights. Choose one from 1024 on: npm run pentad -- start --port 8080`, {
      cause: error,
    })
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Error(
      `${host} is no address of this machine. Choose another: npm run pentad -- start --host 127.0.0.1`,
      { cause: error },
    )
  }
  return error
}
