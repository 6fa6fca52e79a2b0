import { join, relative } from 'node:path'
import { Command } from 'commander'
import type { Site } from '../app/create-site.ts'
import { ownCommand } from '../app/own-command.ts'
import { loadConfig } from '../core/config.ts'
import { RestError } from '../core/errors.ts'
import type { ExtensionManager } from '../core/extensions/manager.ts'
import { authorCommands } from './author/commands.ts'
import { packageCommands } from './extension-packages.ts'
import { scaffoldExtension, testCommand } from './scaffold-extension.ts'
import { withHost } from './with-host.ts'

/** Milliseconds after which a command that still waits says for what. */
const NOTICE_TIME = 1_000
const WAITS =
  'The running site waits 2 seconds for {id} to finish calls in progress. Its log names those that do not finish.'

/** `pentad extension …`: creates, installs, lists, activates, deactivates, and removes extensions. */
export function extensionCommand(): Command {
  const extension = new Command('extension').description(
    'create, install, update, list, activate, deactivate, and remove extensions',
  )
  extension
    .command('new')
    .argument('<name>', 'lowercase letters, digits, and hyphens')
    .description("create an extension with a test in the site's extensions folder")
    .action(create)
  extension.command('list').description('list extensions and their states').action(list)
  extension
    .command('activate')
    .argument('<id>')
    .description('activate an extension; takes effect on a running site immediately')
    .action(activate)
  extension
    .command('deactivate')
    .argument('<id>')
    .description('deactivate an extension; takes effect on a running site immediately')
    .action(deactivate)
  for (const command of [...packageCommands(), ...authorCommands()]) extension.addCommand(command)
  return extension
}

function create(name: string): void {
  const { siteDir } = loadConfig()
  const folder = join(siteDir, 'extensions', name)
  const files = scaffoldExtension(name, folder).map(shown)
  const site = process.env.PENTAD_SITE_DIR ? `--site ${siteDir} ` : ''
  console.log(`Created:\n${files.map((file) => `  ${file}`).join('\n')}`)
  console.log(`\nActivate it        ${ownCommand(`${site}extension activate ${name}`)}`)
  console.log(`Reload on save     ${ownCommand(`${site}start --watch`)}`)
  console.log(`Test it            ${testCommand(shown(join(folder, '*.test.ts')))}`)
}

/** The path as one would type it here. */
function shown(file: string): string {
  const near = relative('.', file)
  return near.startsWith('..') ? file : near
}

async function list(): Promise<void> {
  await withExtensions(async ({ extensions }) => {
    for (const { id, version, state, reason, description } of extensions.list()) {
      console.log(`${state.padEnd(9)} ${id} ${version}  ${reason ?? description}`)
    }
  })
}

async function activate(id: string): Promise<void> {
  await withExtensions(async ({ extensions, loader, servers }) => {
    await extensions.discover()
    const source = loader.find(id)
    // What prevents this prevents the activation, too, which says so.
    const asked = source && (await loader.ask(source).catch(() => undefined))
    if (asked?.permissions)
      console.log(`${id} runs in a sandbox. It may:${asked.permissions.map((one) => `\n  ${one}`).join('')}`)
    await servers.activate(id).catch(explain(extensions))
    console.log(`${id} is active.`)
  })
}

async function deactivate(id: string): Promise<void> {
  await withExtensions(async ({ extensions, servers }) => {
    const notice = setTimeout(() => console.error(WAITS.replace('{id}', id)), NOTICE_TIME)
    try {
      await servers.deactivate(id).catch(explain(extensions))
    } finally {
      clearTimeout(notice)
    }
    console.log(`${id} is inactive.`)
  })
}

/** Without the log: what it would say of the extension the command says itself. */
function withExtensions(work: (site: Site) => Promise<void>): Promise<void> {
  return withHost(work, { logLevel: 'silent', runExtensions: false })
}

/** Says what to do next. */
function explain(extensions: ExtensionManager): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof RestError)) throw error
    const ids = extensions.list().map(({ id }) => id)
    const next =
      error.code === 'extension_not_found'
        ? `Extensions: ${ids.join(', ')}. To create one, run: ${ownCommand('extension new <name>')}`
        : error.status === 409 && 'It is paused. Fix it, then activate it again.'
    throw new Error([error.message, ...(next ? [next] : [])].join('\n'), { cause: error })
  }
}
