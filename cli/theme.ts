import { Command } from 'commander'
import { callRoute } from './call-route.ts'
import { withHost } from './with-host.ts'

interface Themes {
  readonly items: readonly { readonly name: string; readonly active: boolean; readonly isUntrusted: boolean }[]
}

/** `pentad theme …`: lists themes and chooses the one in use. */
export function themeCommand(): Command {
  const theme = new Command('theme').description('list and activate themes')
  theme.command('list').description('list the installed themes').action(list)
  theme
    .command('activate')
    .argument('<name>')
    .description(
      "activate a theme, including one from another site's backup; takes effect on a running site immediately",
    )
    .action(activate)
  return theme
}

/** Without extensions, because the command must work even if an extension or the active theme prevents the site from working. */
const QUIET = { logLevel: 'silent', runExtensions: false } as const

async function list(): Promise<void> {
  await withHost(async (host) => {
    const { items } = await callRoute<Themes>(host, 'GET', '/host/v1/themes')
    for (const { name, active, isUntrusted } of items) {
      const note = isUntrusted ? '  from a backup that this site did not sign' : ''
      console.log(`${(active ? 'active' : 'inactive').padEnd(9)} ${name}${note}`)
    }
  }, QUIET)
}

async function activate(name: string): Promise<void> {
  await withHost(async (host) => {
    const { items } = await callRoute<Themes>(host, 'GET', '/host/v1/themes')
    if (!items.some((theme) => theme.name === name)) {
      throw new Error(`There is no theme "${name}". Themes: ${items.map((theme) => theme.name).join(', ')}`)
    }
    await callRoute(host, 'PUT', '/host/v1/settings/host', { settings: { theme: name } })
    console.log(`${name} is active.`)
  }, QUIET)
}
