import { dayOf } from 'pentad'
import type { KnownCrawler } from './known-crawlers.ts'
import type { SignedRequest } from './signatures.ts'

/** Crawls of one address to one page, and of signed requests each by itself. */
const MOST_WAITING = 5000
const MOST_SIGNED = 200

/** What a crawler did since it was last written. The address is here only until its identity is settled. */
export interface PendingCrawl {
  readonly crawler: KnownCrawler
  readonly address: string
  readonly signed: SignedRequest | undefined
  /** Of the page; empty for what is no page. */
  readonly path: string
  hits: number
  /** Of the last one, milliseconds since 1970. */
  at: number
}

/** Crawls that are not written yet. */
export interface PendingCrawls {
  add(crawl: Omit<PendingCrawl, 'hits'>): void
  /** Empties it. */
  take(): PendingCrawl[]
}

/** A flood of addresses or pages is counted, but no longer told apart. */
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
