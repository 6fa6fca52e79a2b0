import { Command } from 'commander'
import type { Site } from '../app/create-site.ts'
import { ownCommand } from '../app/own-command.ts'
import type { InstalledExtension, InstallOptions } from '../app/packages/index.ts'
import { RestError } from '../core/errors.ts'
import { withHost } from './with-host.ts'

const ALLOW = 'grant the additional permissions that the new version of an active sandboxed extension requests'

interface Options {
  readonly ignoreDelay?: boolean
  readonly ignoreAdvisories?: boolean
  readonly allowPermissions?: boolean
}

const optionsOf = ({ ignoreDelay = false, ignoreAdvisories = false, allowPermissions }: Options): InstallOptions => ({
  ignoresDelay: ignoreDelay,
  ignoresAdvisories: ignoreAdvisories,
  ...(allowPermissions && { permissions: 'all' }),
})

/** By error code: which option allows it. */
const ALLOWED_BY: Readonly<Record<string, string>> = {
  extension_permissions_added: '--allow-permissions',
  extension_vulnerable: '--ignore-advisories',
}

/** Says how to allow what Pentad does not do without being told. */
function explain(error: unknown): never {
  const option = error instanceof RestError ? ALLOWED_BY[error.code] : undefined
  if (!(error instanceof Error) || option === undefined) throw error
  throw new Error(`${error.message}\nTo allow this, run the command again with ${option}.`, { cause: error })
}

/** The commands that install, update and remove extensions. */
export function packageCommands(): readonly Command[] {
  return [
    new Command('install')
      .argument('<package>', 'a package name (such as my-extension@^2.0.0), an HTTPS URL, an archive, or a folder')
      .option('--activate', 'activate it')
      .option('--ignore-delay', 'install a release that is newer than the release delay allows')
      .option('--ignore-advisories', 'install a version with known vulnerabilities')
      .option('--allow-permissions', ALLOW)
      .description('install an extension, or replace its installed version')
      .action(install),
    new Command('update')
      .argument('[id]', 'the extension')
      .option('--all', 'update all extensions that were installed from the registry')
      .option('--ignore-delay', 'install a release that is newer than the release delay allows')
      .option('--ignore-advisories', 'install a version with known vulnerabilities')
      .option('--allow-permissions', ALLOW)
      .description('update an extension, or all of them, from the registry')
      .action(update),
    new Command('outdated').description('list extensions with a newer version in the registry').action(outdated),
    new Command('search').argument('[words...]').description('search the registry for extensions').action(search),
    new Command('remove')
      .argument('<id>')
      .option('--with-data', 'also delete its data: its settings, and the tables that its uninstall function drops')
      .description('deactivate an extension and delete its files')
      .action(remove),
  ]
}

/** As for activations: what the log would say, the command says itself. */
function withPackages<Result>(work: (site: Site) => Promise<Result>): Promise<Result> {
  return withHost(work, { logLevel: 'silent', runExtensions: false })
}

async function install(text: string, options: Options & { activate?: boolean }): Promise<void> {
  const { parseSource } = await import('../app/packages/index.ts')
  const source = parseSource(text, true)
  await withPackages(async ({ extensions, packages }) => {
    const given = { ...optionsOf(options), activate: options.activate === true }
    const installed = await packages.install(source, given).catch(explain)
    console.log(describe(installed))
    const { state } = extensions.list().find(({ id }) => id === installed.id) ?? {}
    if (!options.activate && state === 'inactive')
      console.log(`Activate it: ${ownCommand(`extension activate ${installed.id}`)}`)
  })
}

async function update(id: string | undefined, options: Options & { all?: boolean }): Promise<void> {
  if ((id === undefined) !== (options.all === true)) throw new Error('Name an extension, or use --all.')
  const given = optionsOf(options)
  await withPackages(async ({ packages }) => {
    const available = id === undefined ? await packages.outdated() : [{ id, heldUntil: null }]
    const ready = available.filter(({ heldUntil }) => heldUntil === null || given.ignoresDelay)
    const failures: string[] = []
    for (const { id } of ready) {
      try {
        const updated = await packages.update(id, given).catch(explain)
        console.log(updated ? describe(updated) : `${id} is up to date.`)
      } catch (error) {
        if (options.all !== true) throw error
        failures.push(`${id}: ${error instanceof Error ? error.message : error}`)
      }
    }
    if (options.all && ready.length === 0) console.log('All extensions are up to date.')
    if (failures.length > 0) throw new Error(failures.join('\n'))
  })
}

function describe({ id, version, previousVersion }: InstalledExtension): string {
  return previousVersion === null
    ? `${id} ${version} is installed.`
    : `${id} was updated from ${previousVersion} to ${version}.`
}

async function outdated(): Promise<void> {
  const { describeVulnerable } = await import('../app/packages/advisories.ts')
  const { updates, vulnerable } = await withPackages(async ({ packages }) => ({
    updates: await packages.outdated(),
    vulnerable: await packages.vulnerable(),
  }))
  for (const { id, version, advisories } of vulnerable) {
    console.log(describeVulnerable({ name: id, version }, advisories))
  }
  if (updates.length === 0) console.log('All extensions are up to date.')
  for (const { id, version, newest, heldUntil } of updates) {
    console.log(`${id} ${version} → ${newest}${heldUntil === null ? '' : `  held back until ${heldUntil}`}`)
  }
}

async function search(words: readonly string[]): Promise<void> {
  const found = await withPackages(({ packages }) => packages.search(words.join(' ')))
  if (found.length === 0) console.log('No extensions found.')
  for (const { name, version, description } of found) console.log(`${name} ${version}  ${description}`)
}

async function remove(id: string, options: { withData?: boolean }): Promise<void> {
  await withPackages(({ packages }) => packages.remove(id, { withData: options.withData === true }))
  console.log(`${id} was removed${options.withData ? ' with its data' : ''}.`)
}
