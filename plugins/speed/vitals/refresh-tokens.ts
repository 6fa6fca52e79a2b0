import type { ExtensionHost } from 'pentad'
import type { SpeedSettings } from '../settings.ts'
import type { PageCache } from '../types.ts'

/** Age in ms after which a cached page is re-rendered, before its token (valid for 24 hours) expires. */
const OLD = 20 * 3_600_000

/** Re-renders pages before their tokens expire, so that pages cached for longer can still report. */
export function refreshTokens(
  { jobs }: Pick<ExtensionHost, 'jobs'>,
  { settings, cache }: { settings: () => SpeedSettings; cache: PageCache },
): void {
  jobs.schedule('speed_vitals_tokens', 'hourly', () => {
    if (settings().vitalsSampleRate === 0) return
    const before = Date.now() - OLD
    const old = [...cache.list()].filter(({ status, cachedAt }) => status === 'fresh' && Date.parse(cachedAt) < before)
    cache.refresh({ urls: old.map(({ url }) => url) })
  })
}
