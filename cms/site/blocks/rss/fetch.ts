import { LRUCache } from 'lru-cache'
import { notUsed, readAnswer, requestPublic } from '../../../../core/http/public-request.ts'
import type { Logger } from '../../../../core/log.ts'
import { type FeedItem, readFeed } from './read.ts'

/** Milliseconds that a page waits for a feed. */
const TIME_LIMIT = 3000
/** Bytes of a feed. */
const LARGEST = 2 * 1024 * 1024
/** Milliseconds after which a feed is asked for again; WordPress's 12 hours, and sooner where it failed. */
const LIFETIME = 12 * 60 * 60_000
const FAILED_LIFETIME = 5 * 60_000
const MOST = 200

/** The entries of a feed, newest as it has them; `undefined` where it cannot be had. */
export type FetchFeed = (url: string) => Promise<readonly FeedItem[] | undefined>

/**
 * Fetches feeds of other sites, from public addresses only. One request is made however many pages wait for it.
 * @param parts.isTrusted whether an address may be one of this machine; default none
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
  const { url: at, answer } = await requestPublic(url, { headers, allowsHttp: true, isTrusted, signal })
  if (answer.statusCode !== 200) {
    answer.destroy()
    throw new Error(notUsed(at, `HTTP status ${answer.statusCode}`))
  }
  return decode(await readAnswer(at, answer, { maxBytes: LARGEST }), answer.headers['content-type'] ?? '')
}

/** A feed says in its header or in its first line what it is written in. */
function decode(bytes: Buffer, type: string): string {
  const start = bytes.toString('latin1', 0, 200)
  const named = /charset=["']?([\w-]+)/i.exec(type)?.[1] ?? /encoding=["']([\w-]+)["']/i.exec(start)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(named).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

/** A query may hold a key. */
function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? ''
}
