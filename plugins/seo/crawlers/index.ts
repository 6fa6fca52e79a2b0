import type { CompletedRequest, ExtensionHost } from 'pentad'
import type { DailyVisits, Visits } from '../visits/daily-visits.ts'
import { pagePath } from '../visits/page-path.ts'
import type { VisitSettings } from '../visits/settings.ts'
import type { VisitDatabase } from '../visits/tables.ts'
import { createWriteBehind, type WriteBehind } from '../write-behind.ts'
import { createAddressLists } from './address-lists.ts'
import { createCrawlerDetection } from './detect-crawler.ts'
import { createIdentities, type Identity } from './identity.ts'
import { createPendingCrawls, type PendingCrawl } from './pending-crawls.ts'
import { registerCrawlerRoute } from './routes.ts'
import { createSignatureCheck, readSigned } from './signatures.ts'

/** Number of crawlers verified concurrently, and the time limit for all of one batch in ms. */
const AT_ONCE = 16
const PATIENCE = 4000

/** Counts the pages that AI crawlers fetch, and verifies the crawlers. */
export interface Crawlers {
  /** Handles each request; returns whether it comes from a crawler. */
  note(request: CompletedRequest): boolean
  readonly writing: WriteBehind
}

export function registerCrawlers(
  host: ExtensionHost,
  parts: { settings: () => VisitSettings; db: VisitDatabase; crawls: DailyVisits },
): Crawlers {
  const { settings, db, crawls } = parts
  const lists = createAddressLists(host, db)
  const identities = createIdentities({ lists, isSignatureGood: createSignatureCheck(host) })
  const crawlerOf = createCrawlerDetection()
  const waiting = createPendingCrawls()
  const writing = createWriteBehind(host, write)
  registerCrawlerRoute(host, { crawls, writing })

  async function write(): Promise<void> {
    const taken = waiting.take()
    if (taken.length === 0) return
    const isPro = host.license.active
    if (isPro) await lists.freshen()
    await crawls.add(isPro ? await settleAll(taken) : taken.map((crawl) => toVisits(crawl, 'unverified')))
  }

  /** Slow name servers and key directories delay writing at most by the time limit. */
  async function settleAll(taken: readonly PendingCrawl[]): Promise<Visits[]> {
    const signal = AbortSignal.any([host.signal, AbortSignal.timeout(PATIENCE)])
    const left = [...taken]
    const settled: Visits[] = []
    async function work(): Promise<void> {
      for (let crawl = left.pop(); crawl; crawl = left.pop()) {
        settled.push(toVisits(crawl, await identityOf(crawl, signal)))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return settled
  }

  async function identityOf(crawl: PendingCrawl, signal: AbortSignal): Promise<Identity> {
    if (crawl.address === '' || signal.aborted) return 'unverified'
    const { promise, resolve } = Promise.withResolvers<Identity>()
    const onTimeout = () => resolve('unverified')
    signal.addEventListener('abort', onTimeout, { once: true })
    try {
      return await Promise.race([identities.of(crawl.crawler, crawl, signal), promise])
    } finally {
      signal.removeEventListener('abort', onTimeout)
    }
  }

  return {
    writing,
    note(request) {
      const { method, status, url, headers } = request
      const crawler = crawlerOf(headers)
      if (!crawler) return false
      if (settings().crawlerTracking === 'off' || (method !== 'GET' && method !== 'HEAD')) return true
      const at = Date.now()
      const signed = headers['signature-agent'] === undefined ? undefined : readSigned(request, at)
      // Only existing pages get a row of their own: made-up URLs must not fill the table.
      const path = status === 200 || status === 304 ? pagePath(url) : ''
      // Strips the zone of a link-local address (RFC 4007).
      const address = request.clientAddress.replace(/%.*$/, '')
      waiting.add({ crawler, address, signed, path, at })
      writing.note()
      return true
    },
  }
}

function toVisits({ crawler, path, hits, at }: PendingCrawl, identity: Identity): Visits {
  return { name: crawler.name, identity, path, hits, at }
}
