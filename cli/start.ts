import { Command } from 'commander'
import { createHost } from '../core/host.ts'
import { printFirstAdministrator } from './with-host.ts'

export function startCommand(): Command {
  return new Command('start')
    .description('serve the site until SIGTERM or Ctrl+C')
    .option('--port <number>', 'port to listen on (default: PENTAD_PORT or 8080)')
    .option('--host <address>', 'address to listen on (default: PENTAD_HOST or 127.0.0.1)')
    .option('--watch', 'reload an extension when one of its files is saved')
    .action(start)
}

async function start({ port, host: address, watch }: { port?: string; host?: string; watch?: boolean }): Promise<void> {
  const host = await createHost({ ...(port && { port }), ...(address && { host: address }) })
  let closing: Promise<void> | undefined
  const close = () => {
    // A second signal finds it already closing.
    closing ??= host.close()
    return closing
  }
  process.on('SIGTERM', close)
  process.on('SIGINT', close)
  process.on('unhandledRejection', (reason) => host.extensions.reportStray(reason))
  process.on('uncaughtException', (error) => {
    if (host.extensions.reportStray(error)) return
    host.log.error({ err: error }, 'a bug ended the process')
    process.exit(1)
  })

  try {
    const url = await host.listen()
    if (host.firstAdministrator) printFirstAdministrator(host.firstAdministrator)
    console.log(`Pentad serves ${url}  (site folder ${host.config.siteDir})`)
    if (watch) {
      host.extensions.watch()
      console.log('Extensions are reloaded when they are saved.')
    }
  } catch (error) {
    await close()
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new Error(`Port ${host.config.port} is in use. Choose another: pentad start --port 8081`, { cause: error })
    }
    throw error
  }
}
