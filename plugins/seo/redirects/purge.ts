import type { ExtensionHost } from 'pentad'
import { pathTag } from './terms.ts'

/** Above this number, everything is purged at once. */
const MOST_TAGS = 100

/** Purges cached pages affected by a change of redirects: responses at their sources. */
export function purgeOnChanges({ hooks }: Pick<ExtensionHost, 'hooks'>): { everything(): void } {
  const purge = (tags: readonly string[]) => hooks.doAction('purge_pages', { tags, reason: 'Redirects changed.' })
  const everything = () => purge(['site'])

  hooks.addAction('seo_redirects_changed', ({ rules }) => {
    // The URLs that a pattern matches cannot be enumerated.
    if (rules.length > MOST_TAGS || rules.some(({ match }) => match !== 'exact')) everything()
    else purge(rules.map(({ source }) => pathTag(source)))
  })
  hooks.addAction('seo_settings_update:after', (merged, previous) => {
    if (merged.redirects !== previous.redirects) everything()
  })
  return { everything }
}
