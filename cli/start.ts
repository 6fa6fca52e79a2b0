import { url as inspectorUrl } from 'node:inspector'
import { Command } from 'commander'
import { requireResources } from './require-resources.ts'
import type { StartOptions } from './start-options.ts'
import { supervise } from './supervisor/supervise.ts'
import { connectSupervisor } from './supervisor/supervised.ts'

/** `pentad start`: serves the site, which is created if it does not exist. */
export function startCommand(): Command {
  return new Command('start')
    .description('start the site')
    .option('--port <number>', 'port to listen on (default: PENTAD_PORT or 8080)')
    .option('--host <address>', 'address to listen on (default: PENTAD_HOST or 127.0.0.1)')
    .option('--watch', 'reload extensions when their files change')
    .option('--safe-mode', 'start in safe mode: run the services, but no other extensions')
    .action(start)
}

/** The first process supervises a second one, which serves. With a debugger there is one, so that it finds the site. */
async function start(options: StartOptions): Promise<void> {
  requireResources()
  const supervisor = connectSupervisor()
  if (!supervisor && inspectorUrl() === undefined) process.exit(await supervise(options))
  try {
    const { serveSite } = await import('./serve-site.ts')
    await serveSite(options, supervisor)
  } finally {
    await supervisor?.send({ ended: true })
  }
}
