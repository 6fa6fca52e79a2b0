import { LRUCache } from 'lru-cache'
import type { ExtensionHost } from 'pentad'

/** Bytes that both headers may have; nginx refuses an answer whose headers are more than 4 KiB together. */
const MAX_TAG_BYTES = 3_000
/** How many pages at once may be between their headers and their storing. */
const REMEMBERED = 1_000

/**
 * Names the content of every public page to caches in front: `Surrogate-Key: site home post-7`,
 * `Cache-Tag: site,home,post-7`. Where that gets too long, `site` alone is left.
 */
export function registerTagHeaders(host: ExtensionHost): {
  /** All tags of the page that a request rendered, however long; `undefined` if it was no page. Told once. */
  tagsOf(requestId: string): readonly string[] | undefined
} {
  const tagsByRequest = new LRUCache<string, readonly string[]>({ max: REMEMBERED })

  host.hooks.addFilter('wp_headers', (headers, page) => {
    const all = [...new Set(['site', ...page.tags])]
    tagsByRequest.set(page.request.id, all)
    const isShort = all.join(' ').length * 2 <= MAX_TAG_BYTES
    const told = isShort ? all : ['site']
    return { ...headers, 'Surrogate-Key': told.join(' '), 'Cache-Tag': told.join(',') }
  })

  return {
    tagsOf(requestId) {
      const tags = tagsByRequest.get(requestId)
      tagsByRequest.delete(requestId)
      return tags
    },
  }
}
