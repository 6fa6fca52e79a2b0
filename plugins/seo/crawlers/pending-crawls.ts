import { dayOf } from 'pentad'
import type { KnownCrawler } from './known-crawlers.ts'
import type { SignedRequest } from './signatures.ts'

/** Unsigned requests are merged by address and page; signed ones are stored separately. */
const MOST_WAITING = 5000
const MOST_SIGNED = 200

/** Requests of a crawler since the last write. The address is only stored until the crawler is verified. */
export interface PendingCrawl {
  readonly crawler: KnownCrawler
  readonly address: string
  readonly signed: SignedRequest | undefined
  /** Path of the page; empty for other files. */
  readonly path: string
  hits: number
  /** Time of the last request, Unix time in ms. */
  at: number
}

/** Requests that are not written yet. */
export interface PendingCrawls {
  add(crawl: Omit<PendingCrawl, 'hits'>): void
  /** Returns and removes all. */
  take(): PendingCrawl[]
}

/** Beyond this number of addresses or pages, requests are only counted. */
export function createPendingCrawls(): PendingCrawls {
  let crawls = new Map<string, PendingCrawl>()
  let signedOnes: PendingCrawl[] = []

  function count(crawl: Omit<PendingCrawl, 'hits'>): void {
    const { crawler, path, at, signed } = crawl
    if (signed && signedOnes.length < MOST_SIGNED) {
      signedOnes.push({ ...crawl, hits: 1 })
      return
    }
    const address = crawls.size < MOST_WAITING ? crawl.address : ''
    const page = address === '' ? '' : path
    const key = `${crawler.name}\n${address}\n${dayOf(at)}\n${page}`
    const known = crawls.get(key)
    if (known) {
      known.hits++
      known.at = at
    } else crawls.set(key, { ...crawl, address, path: page, signed: undefined, hits: 1 })
  }

  return {
    add: count,
    take() {
      const all = [...crawls.values(), ...signedOnes]
      crawls = new Map()
      signedOnes = []
      return all
    },
  }
}
