import { Command, Option } from 'commander'
import { callRoute, withHost } from 'pentad/cli'

/** Description of each scope. */
const PURGED = {
  pages: 'all pages',
  cache: 'the cache',
  everything: 'everything',
}
type Scope = keyof typeof PURGED

/** `pentad cache …`: purges cached pages. `flush` is the name in WP-CLI. */
export function cacheCommand(): Command {
  const cache = new Command('cache').description('purge cached pages')
  cache
    .command('purge')
    .alias('flush')
    .argument('[url]', 'purge only this page: a URL of this site or a path')
    .addOption(
      new Option('--scope <scope>', 'what to purge: pages, cache (keeps optimized files) or everything')
        .choices(['pages', 'cache', 'everything'])
        .default('cache'),
    )
    .description('purge cached pages; a running site re-renders them')
    .action(purge)
  return cache
}

async function purge(url: string | undefined, { scope }: { scope: Scope }): Promise<void> {
  await withHost(async (host) => {
    if (url === undefined) {
      // Only the process that serves the site knows the number of pages.
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
