import type { ExtensionHost } from 'pentad'
import type { SeoSettings } from '../settings.ts'
import { applyRedirects } from './apply-redirects.ts'
import { createHits } from './hits.ts'
import { createLiveRules } from './live-rules.ts'
import { createSiteAddresses } from './matching/site-address.ts'
import { purgeOnChanges } from './purge.ts'
import { createRedirects } from './redirects.ts'
import { registerRedirectRoutes } from './routes.ts'
import { redirectChangedSlugs } from './slug-changes.ts'
import { createRedirectStore, type RedirectStore } from './store.ts'
import { openRedirectTables } from './tables.ts'
import { redirectMovedTerms } from './term-moves.ts'
import type { Redirects } from './types.ts'

/** Redirects: rules, the request handler, and automatic redirects for changed slugs. */
export async function registerRedirects(
  host: ExtensionHost,
  { settings }: { settings: () => Pick<SeoSettings, 'redirects' | 'autoRedirectSlugChange'> },
): Promise<Redirects> {
  const site = createSiteAddresses(host.site.url)
  const purge = purgeOnChanges(host)
  const tables = await openRedirectTables(host.database)
  const store: RedirectStore = createRedirectStore(tables, (version) => live.noteVersion(version))
  const live = createLiveRules(host, { store, site, foreignChange: purge.everything })
  const hits = createHits(host, store)
  const redirects = createRedirects(host, { store, live, hits, site })
  applyRedirects(host, { live, hits, isOn: () => settings().redirects === 'on' })
  // During an import, a parent created after its children changes their paths, which were never public.
  let isImporting = false
  host.hooks.addAction('import_start', () => {
    isImporting = true
  })
  host.hooks.addAction('import_end', () => {
    isImporting = false
  })
  const followMoves = { redirects, isOn: () => !isImporting && settings().autoRedirectSlugChange === 'on' }
  redirectChangedSlugs(host, followMoves)
  redirectMovedTerms(host, followMoves)
  registerRedirectRoutes(host, redirects)
  return redirects
}
