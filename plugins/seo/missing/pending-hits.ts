/** Hits of a URL since the last write, with details of the last one. */
export interface MissingHit {
  readonly url: string
  hits: number
  /** Unix time in ms. */
  readonly first: number
  last: number
  referrer: string
  userAgent: string
}

/** Hits that are not written yet. */
export interface PendingHits {
  add(hit: Pick<MissingHit, 'url' | 'referrer' | 'userAgent'>): void
  /** Returns and removes all. */
  take(): MissingHit[]
  clear(): void
}

/**
 * Stores a limited number of URLs: for a new one, the oldest with a single hit is dropped. A flood of random URLs
 * neither fills memory nor displaces real broken links.
 */
export function createPendingHits(most: number): PendingHits {
  const once = new Map<string, MissingHit>()
  const often = new Map<string, MissingHit>()

  function makeRoom(): void {
    if (once.size + often.size < most) return
    const fewest = once.size > 0 ? once : often
    const oldest = fewest.keys().next()
    if (!oldest.done) fewest.delete(oldest.value)
  }

  return {
    add({ url, referrer, userAgent }) {
      const now = Date.now()
      const known = often.get(url) ?? once.get(url)
      if (!known) {
        makeRoom()
        once.set(url, { url, hits: 1, first: now, last: now, referrer, userAgent })
        return
      }
      known.hits++
      known.last = now
      known.referrer = referrer
      known.userAgent = userAgent
      if (once.delete(url)) often.set(url, known)
    },
    take() {
      const hits = [...often.values(), ...once.values()]
      once.clear()
      often.clear()
      return hits
    },
    clear() {
      once.clear()
      often.clear()
    },
  }
}
