import type { ExtensionHost } from 'pentad'
import type { SpeedSettings } from '../settings.ts'
import type { PageCache } from '../types.ts'

/** A page is rendered anew before its token, good for 24 hours, runs out. Milliseconds. */
const OLD = 20 * 3_600_000

/** Lets visitors of pages that are cached for longer than a token is good report too. */
export function keepTokensFresh(
  { jobs }: Pick<ExtensionHost, 'jobs'>,
  { settings, cache }: { settings: () => SpeedSettings; cache: PageCache },
): void {
  jobs.schedule('speed_vitals_tokens', 'hourly', () => {
    if (settings().vitalsSampleRate === 0) return
    const before = Date.now() - OLD
    const old = [...cache.list()].filter(({ status, cachedAt }) => status === 'fresh' && Date.parse(cachedAt) < before)
    cache.refresh(old.map(({ url }) => url))
  })
}
