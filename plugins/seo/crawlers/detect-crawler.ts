import type { IncomingHttpHeaders } from 'node:http'
import { assistantSigningAs, crawlerIn, type KnownCrawler } from './known-crawlers.ts'
import { signerOf } from './signatures.ts'

/** Maximum number of cached `User-Agent` headers; the cache is cleared when it is full. */
const MOST_REMEMBERED = 2000
const LONGEST_REMEMBERED = 400

/**
 * Returns a function that detects the crawler of a request by its headers, or `undefined`. Cached, because it runs for
 * every request.
 */
export function createCrawlerDetection(): (headers: Readonly<IncomingHttpHeaders>) => KnownCrawler | undefined {
  const remembered = new Map<string, KnownCrawler | undefined>()

  function named(userAgent: string): KnownCrawler | undefined {
    const known = remembered.get(userAgent)
    if (known || remembered.has(userAgent)) return known
    const crawler = crawlerIn(userAgent)
    if (remembered.size >= MOST_REMEMBERED) remembered.clear()
    if (userAgent.length <= LONGEST_REMEMBERED) remembered.set(userAgent, crawler)
    return crawler
  }

  return (headers) => {
    const crawler = named(headers['user-agent'] ?? '')
    if (crawler || headers['signature-agent'] === undefined) return crawler
    const signer = signerOf(headers)
    return signer === undefined ? undefined : assistantSigningAs(signer)
  }
}
