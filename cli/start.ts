import { url as inspectorUrl } from 'node:inspector'
import { availableParallelism } from 'node:os'
import { Command, InvalidArgumentError, Option } from 'commander'
import { requireResources } from './require-resources.ts'
import type { StartOptions } from './start-options.ts'
import { supervise } from './supervisor/supervise.ts'
import { connectSupervisor } from './supervisor/supervised.ts'

/** More than any machine needs; each worker has its own connections to PostgreSQL, and takes 150 MB or more. */
const MOST_WORKERS = 64

/** `pentad start`: serves the site, which is created if it does not exist. */
export function startCommand(): Command {
  return new Command('start')
    .description('start the site')
    .option('--port <number>', 'port to listen on (default: PENTAD_PORT or 8080)')
    .option('--host <address>', 'address to listen on (default: PENTAD_HOST or 127.0.0.1)')
    .addOption(
      new Option('--workers <number>', 'number of processes that serve the site; auto: one for each processor')
        .env('PENTAD_WORKERS')
        .argParser(readWorkers)
        .default(1),
    )
    .option('--watch', 'reload extensions when their files change')
    .option('--safe-mode', 'start in safe mode: run the services, but no other extensions')
    .action(start)
}

function readWorkers(text: string): number {
  const workers = text === 'auto' ? availableParallelism() : Number(text || 1)
  if (Number.isInteger(workers) && workers >= 1 && workers <= MOST_WORKERS) return workers
  throw new InvalidArgumentError(`Expected a whole number from 1 to ${MOST_WORKERS}, or auto.`)
}

/** The first process supervises those that serve. With a debugger there is one, so that it finds the site. */
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
