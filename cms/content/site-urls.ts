import type { JsonValue, Options } from '../../core/options/types.ts'
import { type Addresses, createAddresses } from './addresses.ts'

/** Every URL that the site has had, the latest last: content may hold addresses that were written under any of them. */
const OPTION = 'site_urls'
/** Maximum number; the oldest are removed first. */
const MOST = 20

/** Notes that content is written under this URL from now on. */
export async function noteSiteUrl(options: Options, url: string): Promise<void> {
  if (readUrls(options.get(OPTION)).includes(url)) return
  await options.modify(OPTION, (current) => [...readUrls(current).filter((other) => other !== url), url].slice(-MOST))
}

/**
 * Content is stored with absolute URLs, as in WordPress. Replaces URLs of former addresses of the site by the current one, so that a site
 * can be developed on one port and served under its domain.
 */
export function createCurrentAddresses(options: Options, siteUrl: string): (text: string) => string {
  let known: JsonValue | undefined
  let addresses: Addresses | undefined
  return (text) => {
    const stored = options.get(OPTION)
    if (addresses === undefined || stored !== known) {
      known = stored
      addresses = createAddresses(
        readUrls(stored).filter((url) => url !== siteUrl),
        siteUrl,
      )
    }
    return addresses.inText(text)
  }
}

function readUrls(stored: JsonValue | undefined): string[] {
  return Array.isArray(stored) ? stored.filter((url) => typeof url === 'string') : []
}
