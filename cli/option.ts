import { text } from 'node:stream/consumers'
import { Command, Option } from 'commander'
import type { Site } from '../app/create-site.ts'
import { callWordPressRoute } from './call-route.ts'
import { type OutputOptions, printList, printValue, withListOutput } from './output.ts'
import { withHost } from './with-host.ts'

/** WordPress's names of options that `wp/v2/settings` calls otherwise. */
const SETTINGS: Readonly<Record<string, string>> = {
  blogname: 'title',
  blogdescription: 'description',
  siteurl: 'url',
  home: 'url',
  admin_email: 'email',
  timezone_string: 'timezone',
  WPLANG: 'language',
}
/** Names of settings records of services and extensions: `seo_settings`. */
const RECORD = /^(.+)_settings$/

interface FormatOptions {
  readonly format: 'plaintext' | 'json'
}

/**
 * `pentad option …`, as WP-CLI's `wp option`: the site's settings under WordPress's names, and the settings of services and
 * extensions as `<id>_settings`. Secrets are masked.
 */
export function optionCommand(): Command {
  const option = new Command('option').description('manage site, service, and extension settings')
  withListOutput(option.command('list')).description('list all options with their values').action(list)
  option
    .command('get')
    .argument('<name>', 'for example blogname or seo_settings')
    .addOption(format())
    .description('show an option')
    .action(get)
  option
    .command('update')
    .argument('<name>', 'for example blogname or seo_settings')
    .argument('[value]', 'default: read from standard input')
    .addOption(format())
    .description('update an option; for settings in JSON, only the given keys')
    .action(update)
  return option
}

function format(): Option {
  return new Option('--format <format>', 'format of the value').choices(['plaintext', 'json']).default('plaintext')
}

async function list(given: OutputOptions): Promise<void> {
  await withHost(async (host) => {
    const rows = Object.entries(await readOptions(host)).map(([name, value]) => ({
      option_name: name,
      option_value: value,
    }))
    printList(rows, given, ['option_name', 'option_value'])
  })
}

async function get(name: string, given: FormatOptions): Promise<void> {
  await withHost(async (host) => {
    const options = await readOptions(host)
    requireOption(options, name)
    printValue(options[name], given.format === 'json' ? 'json' : 'table')
  })
}

async function update(name: string, given: string | undefined, { format }: FormatOptions): Promise<void> {
  await withHost(async (host) => {
    const options = await readOptions(host)
    requireOption(options, name)
    const written = given ?? (await text(process.stdin)).replace(/\r?\n$/, '')
    const settings = host.settings.get(RECORD.exec(name)?.[1] ?? '')
    if (settings) {
      const changes: unknown = format === 'json' ? readJson(written) : undefined
      if (!isRecord(changes)) throw new Error(`${name} requires an object: --format=json '{"key":"value"}'.`)
      const { unknown } = await settings.update(changes)
      if (unknown.length > 0) console.error(`warning: ${name} has no setting named ${unknown.join(' or ')}; ignored.`)
    } else {
      const setting = SETTINGS[name] ?? name
      const value = format === 'json' ? readJson(written) : likeBefore(written, options[name])
      // Over REST, a session must confirm this with a password.
      if (setting === 'email') await host.content.updateSiteSettings({ adminEmail: String(value) })
      else await callWordPressRoute(host, 'POST', '/wp/v2/settings', { [setting]: value })
    }
    console.log(`Updated ${name}.`)
  })
}

/** All options: the names of `wp/v2/settings` and WordPress's own for the same thing. */
async function readOptions(host: Site): Promise<Record<string, unknown>> {
  const site = await callWordPressRoute<Record<string, unknown>>(host, 'GET', '/wp/v2/settings')
  const named = Object.entries(SETTINGS).map(([name, setting]) => [name, site[setting]])
  const records = host.settings.names().map((name) => [`${name}_settings`, host.settings.get(name)?.masked()])
  return { ...Object.fromEntries(named), ...site, ...Object.fromEntries(records) }
}

function requireOption(options: Record<string, unknown>, name: string): void {
  if (Object.hasOwn(options, name)) return
  throw new Error(`There is no option "${name}". Options: ${Object.keys(options).join(', ')}`)
}

/** A number or a truth value where the option has one: an argument is text. */
function likeBefore(written: string, before: unknown): unknown {
  if (typeof before === 'number' && /^-?\d+$/.test(written)) return Number(written)
  if (typeof before === 'boolean' && /^(?:0|1|true|false)$/.test(written)) return written === '1' || written === 'true'
  return written
}

function readJson(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch (error) {
    throw new Error('The value is not valid JSON.', { cause: error })
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
