import { createHash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { networkOf, RestError } from 'pentad'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Maximum reports per network and minute. */
const REPORTS_A_MINUTE = 60

/** Maximum networks tracked at a time, to limit memory. */
const MOST_NETWORKS = 20_000

/** Rate limits and pseudonyms of reporting visitors. No IP addresses are stored. */
export interface Visitors {
  /** Counts one report. @throws RestError 429 `rest_too_many_requests` if the limit is exceeded */
  countReport(address: string): void
  /** A daily pseudonym of the visitor's network, from which the address cannot be derived. */
  pseudonym(address: string): number
}

export function createVisitors(): Visitors {
  // `max` would preallocate memory for all entries, which costs milliseconds at each start.
  const counts = new LRUCache<number, { reports: number; readonly until: number }>({
    maxSize: MOST_NETWORKS,
    sizeCalculation: () => 1,
  })
  let salt = randomBytes(32)
  let saltUntil = 0

  function pseudonym(address: string): number {
    if (Date.now() >= saltUntil) {
      salt = randomBytes(32)
      saltUntil = Date.now() + DAY
    }
    return numberOf(salt, networkOf(address))
  }

  return {
    countReport(address) {
      const name = pseudonym(address)
      const now = Date.now()
      const known = counts.get(name)
      const count = known && known.until > now ? known : { reports: 0, until: now + MINUTE }
      counts.set(name, count)
      count.reports++
      if (count.reports <= REPORTS_A_MINUTE) return
      const headers = { 'Retry-After': String(Math.ceil((count.until - now) / 1000)) }
      throw new RestError('rest_too_many_requests', 'Too many reports. Try again later.', { status: 429 }, headers)
    },
    pseudonym,
  }
}

/** Hashes a text to a nonzero integer below 2^48. */
export function numberOf(...parts: readonly (string | Buffer)[]): number {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest().readUIntBE(0, 6) || 1
}
