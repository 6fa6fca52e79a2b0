import { join } from 'node:path'
import { Command } from 'commander'
import { loadConfig } from '../core/config.ts'
import { scaffoldExtension } from './scaffold-extension.ts'
import { withHost } from './with-host.ts'

export function extensionCommand(): Command {
  const extension = new Command('extension').description('make, list and switch extensions')
  extension
    .command('new')
    .argument('<name>', 'lower-case letters, digits and hyphens')
    .description('write a working extension with a test into the site folder')
    .action(create)
  extension.command('list').description('every extension the site knows, with its state').action(list)
  extension
    .command('activate')
    .argument('<id>')
    .description('switch an extension on; a running site follows at once')
    .action(activate)
  extension
    .command('deactivate')
    .argument('<id>')
    .description('switch an extension off; a running site follows at once')
    .action(deactivate)
  return extension
}

function create(name: string): void {
  const folder = join(loadConfig().siteDir, 'extensions', name)
  const files = scaffoldExtension(name, folder)
  console.log(`Written:\n${files.map((file) => `  ${file}`).join('\n')}`)
  console.log(`\nSwitch it on   npm run pentad -- extension activate ${name}`)
  console.log(`Test it        npx mocha ${join(folder, '*.test.ts')}`)
}

async function list(): Promise<void> {
  await withHost(async (host) => {
    for (const { id, version, state, reason, description } of host.extensions.list()) {
      console.log(`${state.padEnd(9)} ${id} ${version}  ${reason ?? description}`)
    }
  })
}

async function activate(id: string): Promise<void> {
  await withHost(async (host) => {
    await host.extensions.activate(id)
    console.log(`${id} is active.`)
  })
}

async function deactivate(id: string): Promise<void> {
  await withHost(async (host) => {
    await host.extensions.deactivate(id)
    console.log(`${id} is inactive.`)
  })
}
