import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { url as inspectorUrl } from 'node:inspector'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { supervise } from './supervisor/supervise.ts'
import { connectSupervisor } from './supervisor/supervised.ts'

interface DevOptions {
  readonly port?: string
  readonly host?: string
  readonly safeMode?: boolean
  readonly fresh?: boolean
}

/** `pentad dev`: serves a test site with the extension of the current folder, and reloads it when a file is saved. */
export function devCommand(): Command {
  return new Command('dev')
    .description('serve a test site with the extension in the current folder, reloading it when its files change')
    .argument('[folder]', 'the folder of the extension', '.')
    .option('--port <number>', 'port to listen on (default: PENTAD_PORT or 8080)')
    .option('--host <address>', 'address to listen on (default: PENTAD_HOST or 127.0.0.1)')
    .option('--safe-mode', 'start in safe mode: run the services, but no other extensions')
    .option('--fresh', 'delete the test site first')
    .action(dev)
}

async function dev(given: string, options: DevOptions, command: Command): Promise<void> {
  if (command.optsWithGlobals<{ site?: string }>().site !== undefined)
    throw new Error('pentad dev uses a test site in the folder of the extension, .pentad/site. Run it without --site.')
  const folder = realpathSync(resolve(given))
  const siteDir = join(folder, '.pentad', 'site')
  // Never the author's own site, which the environment may name.
  process.env.PENTAD_SITE_DIR = siteDir
  const supervisor = connectSupervisor()
  // The supervised process is a second one, and restarted after a crash.
  if (!supervisor) {
    if (options.fresh) rmSync(siteDir, { recursive: true, force: true })
    await prepareSite(siteDir, folder)
    if (inspectorUrl() === undefined) process.exit(await supervise(options))
  }
  try {
    const { serveSite } = await import('./serve-site.ts')
    // The author may allow the extension everything, each time that it asks for more.
    await serveSite({ ...options, command: 'dev', watch: true, allowsAllPermissions: true }, supervisor)
  } finally {
    await supervisor?.send({ ended: true })
  }
}

/** Links the extension into the test site, and makes it active without running it here. */
async function prepareSite(siteDir: string, folder: string): Promise<void> {
  const { inspectExtension } = await import('../app/loader/index.ts')
  const { writeState } = await import('../core/extensions/state.ts')
  const { withHost } = await import('./with-host.ts')
  const { id } = await inspectExtension(folder)
  const extensions = join(siteDir, 'extensions')
  mkdirSync(extensions, { recursive: true })
  const link = join(extensions, 'in-development')
  if (!existsSync(link)) {
    rmSync(link, { force: true })
    symlinkSync(folder, link, 'junction')
  }
  await withHost(({ options }) => writeState(options, id, 'active', null), {
    ...{ makesSite: true, logLevel: 'silent', runExtensions: false },
  })
}
