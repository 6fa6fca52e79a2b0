import { LRUCache } from 'lru-cache'
import type { ExtensionHost } from 'pentad'

/** Maximum size of both headers in bytes; nginx rejects responses with more than 4 KiB of headers by default. */
const MAX_TAG_BYTES = 3_000
/** Maximum number of pages between rendering and storing. */
const REMEMBERED = 1_000

/**
 * Sends the cache tags of every public page to CDNs and proxies: `Surrogate-Key: site home post-7`, `Cache-Tag:
 * site,home,post-7`. If that is too long, only `site` is sent.
 */
export function registerTagHeaders(host: ExtensionHost): {
  /** All tags of the page that a request rendered; `undefined` if it was not a page. Can be read once. */
  tagsOf(requestId: string): readonly string[] | undefined
} {
  const tagsByRequest = new LRUCache<string, readonly string[]>({ max: REMEMBERED })

  host.hooks.addFilter('wp_headers', (headers, page) => {
    const all = [...new Set(['site', ...page.tags])]
    tagsByRequest.set(page.request.id, all)
    const isShort = all.join(' ').length * 2 <= MAX_TAG_BYTES
    const tags = isShort ? all : ['site']
    return { ...headers, 'Surrogate-Key': tags.join(' '), 'Cache-Tag': tags.join(',') }
  })

  return {
    tagsOf(requestId) {
      const tags = tagsByRequest.get(requestId)
      tagsByRequest.delete(requestId)
      return tags
    },
  }
}
