import { LRUCache } from 'lru-cache'
import type { Logger } from '../../../../core/log.ts'
import { describeUnusedUrl, readResponse, requestPublic } from '../../../http/public-request.ts'
import { type FeedItem, readFeed } from './read.ts'

/** Maximum time that a page waits for a feed, in ms. */
const TIME_LIMIT = 3000
/** Maximum size of a feed, in bytes. */
const LARGEST = 2 * 1024 * 1024
/** Time before a feed is fetched again, in ms: 12 hours as in WordPress, less after a failure. */
const LIFETIME = 12 * 60 * 60_000
const FAILED_LIFETIME = 5 * 60_000
const MOST = 200

/** The items of a feed in its order; `undefined` if it is not available. */
export type FetchFeed = (url: string) => Promise<readonly FeedItem[] | undefined>

/**
 * Fetches feeds from public addresses. Concurrent requests for a feed are merged.
 * @param parts.isTrusted allows local addresses; default none
 */
export function createFeeds(parts: { log: Logger; isTrusted?: ((url: URL) => boolean) | undefined }): FetchFeed {
  const known = new LRUCache<string, Promise<readonly FeedItem[] | undefined>>({ max: MOST, ttl: LIFETIME })

  async function load(url: string): Promise<readonly FeedItem[] | undefined> {
    try {
      return readFeed(await fetchText(url, parts.isTrusted))
    } catch (error) {
      parts.log.info({ err: error, feed: withoutQuery(url) }, 'feed fetch failed')
      return undefined
    }
  }

  return (url) => {
    const found = known.get(url)
    if (found) return found
    const loading = load(url)
    known.set(url, loading, { ttl: LIFETIME })
    void loading.then((items) => {
      if (items === undefined && known.peek(url) === loading) known.set(url, loading, { ttl: FAILED_LIFETIME })
    })
    return loading
  }
}

async function fetchText(url: string, isTrusted: ((url: URL) => boolean) | undefined): Promise<string> {
  const signal = AbortSignal.timeout(TIME_LIMIT)
  const headers = { Accept: 'application/rss+xml, application/atom+xml, application/xml, text/xml, */*;q=0.1' }
  const { url: at, response } = await requestPublic(url, { headers, allowsHttp: true, isTrusted, signal })
  if (response.statusCode !== 200) {
    response.destroy()
    throw new Error(describeUnusedUrl(at, `HTTP status ${response.statusCode}`))
  }
  return decode(await readResponse(at, response, { maxBytes: LARGEST }), response.headers['content-type'] ?? '')
}

/** The character encoding is in the header or in the XML declaration. */
function decode(bytes: Buffer, type: string): string {
  const start = bytes.toString('latin1', 0, 200)
  const named = /charset=["']?([\w-]+)/i.exec(type)?.[1] ?? /encoding=["']([\w-]+)["']/i.exec(start)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(named).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

/** The query string may contain a key. */
function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? ''
}
