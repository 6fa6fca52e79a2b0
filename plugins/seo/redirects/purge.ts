import type { ExtensionHost } from 'pentad'
import { pathTag } from './terms.ts'

/** More than so many are purged as quickly all together. */
const MOST_TAGS = 100

/** Takes pages out of caches that a change of the rules makes wrong: what was found, or was not found, at their sources. */
export function purgeOnChanges({ hooks }: Pick<ExtensionHost, 'hooks'>): { everything(): void } {
  // Of the performance service, a plugin of its own; without it nobody listens.
  const purge = (tags: readonly string[]) => hooks.doAction('speed_purge', { tags, reason: 'Redirects changed.' })
  const everything = () => purge(['site'])

  hooks.addAction('seo_redirects_changed', ({ rules }) => {
    // What a pattern takes, no index knows.
    if (rules.length > MOST_TAGS || rules.some(({ match }) => match !== 'exact')) everything()
    else purge(rules.map(({ source }) => pathTag(source)))
  })
  hooks.addAction('seo_settings_update:after', (merged, previous) => {
    if (merged.redirects !== previous.redirects) everything()
  })
  return { everything }
}
