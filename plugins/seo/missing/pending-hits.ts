/** How often an address was missed since it was last written, and by whom the last time. */
export interface MissingHit {
  readonly url: string
  hits: number
  /** Milliseconds since 1970. */
  readonly first: number
  last: number
  referrer: string
  userAgent: string
}

/** Hits that are not written yet. */
export interface PendingHits {
  add(hit: Pick<MissingHit, 'url' | 'referrer' | 'userAgent'>): void
  /** Empties it. */
  take(): MissingHit[]
  clear(): void
}

/**
 * Keeps so many addresses at most: for a new one the oldest of those with a single hit goes. So a flood of addresses
 * that nobody asks for twice neither fills the memory nor drives out what really is missing.
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
