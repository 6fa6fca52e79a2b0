import { Command, Option } from 'commander'
import { callRoute, withHost } from 'pentad/cli'

/** Description of each scope. */
const PURGED = {
  pages: 'all pages',
  cache: 'the cache',
  everything: 'everything',
}

interface PurgeOptions {
  readonly scope?: keyof typeof PURGED
  readonly tag: readonly string[]
  readonly all?: true
  readonly soft?: boolean
  readonly dryRun?: boolean
}

/** `pentad cache …`: purges cached pages. `flush` is the name in WP-CLI. */
export function cacheCommand(): Command {
  const cache = new Command('cache').description('purge cached pages')
  cache
    .command('purge')
    .alias('flush')
    .argument('[url...]', 'purge only these pages: URLs of this site or paths')
    .option('--tag <tag...>', 'purge only pages with these cache tags, such as post-7', [])
    .addOption(new Option('--all', 'purge all pages, which is the default').conflicts('tag'))
    .addOption(
      new Option('--scope <scope>', 'what to purge: pages, cache (keeps optimized files; the default), or everything')
        .choices(['pages', 'cache', 'everything'])
        .conflicts(['tag', 'soft']),
    )
    .option('--soft', 'visitors may get the old pages once more while new ones are rendered')
    .option('--dry-run', 'list the cached pages that would be purged')
    .description('purge cached pages; a running site re-renders them')
    .action(purge)
  return cache
}

async function purge(
  urls: readonly string[],
  { scope, tag: tags, all, soft = false, dryRun = false }: PurgeOptions,
): Promise<void> {
  if (urls.length > 0 && all) throw new Error('Use either URLs or --all.')
  if (urls.length > 0 && scope !== undefined) throw new Error('Use either URLs or --scope.')
  const isEverything = urls.length + tags.length === 0
  await withHost(async (host) => {
    if (dryRun || soft || urls.length > 1 || tags.length > 0) {
      const body = { urls, tags, all: isEverything, soft, dryRun }
      const { urls: purged } = await callRoute<{ urls: readonly string[] }>(host, 'POST', '/host/v1/purge', body)
      if (dryRun) console.log(purged.join('\n') || 'No cached page would be purged.')
      else console.log(`Purged ${[...tags.map((tag) => `the tag ${tag}`), ...purged].join(', ')}.`)
      return
    }
    const [url] = urls
    if (url === undefined) {
      const purged = scope ?? 'cache'
      // Only the process that serves the site knows the number of pages.
      await callRoute(host, 'POST', `/speed/v1/purge-${purged}-and-preload`)
      console.log(`Purged ${PURGED[purged]}.`)
      return
    }
    const { purged } = await callRoute<{ purged: readonly string[] }>(host, 'POST', '/speed/v1/purge-current-page', {
      url,
    })
    console.log(`Purged ${purged.join(', ') || 'nothing: the page was not cached'}.`)
  })
}
