import { type ExtensionHost, isSharedPage } from 'pentad'
import { note } from '../rendering-notes.ts'

/** Maximum size of the headers in bytes; nginx rejects responses with more than 4 KiB of headers by default. */
const MAX_TAG_BYTES = 3_000

/**
 * Sends the cache tags of every public page to CDNs and proxies: `Surrogate-Key: site home post-7`, `Cache-Tag:
 * site,home,post-7`. If that is too long, only `site` is sent. `Cache-Groups: "site", "home", "post-7"` (RFC 9875) takes what is left of
 * the space.
 *
 * @param cdnTtlSeconds returns the lifetime in CDNs: `CDN-Cache-Control: max-age=3600` (RFC 9213); without the header if it is 0
 */
export function registerTagHeaders(host: ExtensionHost, cdnTtlSeconds: () => number): void {
  host.hooks.addFilter(
    'wp_headers',
    (headers, page) => {
      const seconds = cdnTtlSeconds()
      return seconds > 0 && isSharedPage(headers, page)
        ? { ...headers, 'CDN-Cache-Control': `max-age=${seconds}` }
        : headers
    },
    // After callbacks that change `Cache-Control`.
    1000,
  )
  host.hooks.addFilter('wp_headers', (headers, page) => {
    const all = [...new Set(['site', ...page.tags])]
    note({ tags: all })
    const bytes = all.join(' ').length * 2
    const tags = bytes <= MAX_TAG_BYTES ? all : ['site']
    const groups = all.map((tag) => `"${tag}"`).join(', ')
    return {
      ...headers,
      'Surrogate-Key': tags.join(' '),
      'Cache-Tag': tags.join(','),
      'Cache-Groups': bytes + groups.length <= MAX_TAG_BYTES ? groups : '"site"',
    }
  })
}
