import type { ExtensionHost } from 'pentad'
import { note } from '../rendering-notes.ts'

/** Maximum size of both headers in bytes; nginx rejects responses with more than 4 KiB of headers by default. */
const MAX_TAG_BYTES = 3_000

/**
 * Sends the cache tags of every public page to CDNs and proxies: `Surrogate-Key: site home post-7`, `Cache-Tag:
 * site,home,post-7`. If that is too long, only `site` is sent.
 */
export function registerTagHeaders(host: ExtensionHost): void {
  host.hooks.addFilter('wp_headers', (headers, page) => {
    const all = [...new Set(['site', ...page.tags])]
    note({ tags: all })
    const isShort = all.join(' ').length * 2 <= MAX_TAG_BYTES
    const tags = isShort ? all : ['site']
    return { ...headers, 'Surrogate-Key': tags.join(' '), 'Cache-Tag': tags.join(',') }
  })
}
