import { Command, Option } from 'commander'
import { callRoute, withHost } from 'pentad/cli'

/** What a purge removes, in words. */
const PURGED = {
  pages: 'all pages',
  cache: 'the cache',
  everything: 'everything',
}
type Scope = keyof typeof PURGED

/** `pentad cache …`: removes cached pages; `flush` is WP-CLI's name of it. */
export function cacheCommand(): Command {
  const cache = new Command('cache').description('remove cached pages')
  cache
    .command('purge')
    .alias('flush')
    .argument('[url]', 'only this page: an address on this site, or a path')
    .addOption(
      new Option('--scope <scope>', 'pages, cache (optimised files stay) or everything')
        .choices(['pages', 'cache', 'everything'])
        .default('cache'),
    )
    .description('remove cached pages; a running site renders them again')
    .action(purge)
  return cache
}

async function purge(url: string | undefined, { scope }: { scope: Scope }): Promise<void> {
  await withHost(async (host) => {
    if (url === undefined) {
      // How many they were only the process knows that serves the site.
      await callRoute(host, 'POST', `/speed/v1/purge-${scope}-and-preload`)
      console.log(`Purged ${PURGED[scope]}.`)
      return
    }
    const { purged } = await callRoute<{ purged: readonly string[] }>(host, 'POST', '/speed/v1/purge-current-page', {
      url,
    })
    console.log(`Purged ${purged.join(', ') || 'nothing: the page was not cached'}.`)
  })
}
