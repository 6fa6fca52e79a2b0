import { createHash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { networkOf, RestError } from 'pentad'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Reports that one address may send in a minute (contract 6). */
const REPORTS_A_MINUTE = 60

/** Networks counted at a time: a flood from more of them than this is not held back by address, but takes no memory. */
const MOST_NETWORKS = 20_000

/** What is known of who reports: how often, and whether it was the same one. No address is kept. */
export interface Visitors {
  /** Counts one report. @throws RestError 429 `rest_too_many_requests` if that is one too many */
  admit(address: string): void
  /** A number that stands for the visitor's network today: nobody can tell the address from it, nor follow it. */
  pseudonym(address: string): number
}

export function createVisitors(): Visitors {
  // `max` would lay out the room for all of them now: milliseconds of each start.
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
    admit(address) {
      const name = pseudonym(address)
      const now = Date.now()
      const known = counts.get(name)
      const count = known && known.until > now ? known : { reports: 0, until: now + MINUTE }
      counts.set(name, count)
      count.reports++
      if (count.reports <= REPORTS_A_MINUTE) return
      const headers = { 'Retry-After': String(Math.ceil((count.until - now) / 1000)) }
      throw new RestError('rest_too_many_requests', 'Too many reports, try again later.', { status: 429 }, headers)
    },
    pseudonym,
  }
}

/** A whole number below 2^48, never 0, that stands for a text. */
export function numberOf(...parts: readonly (string | Buffer)[]): number {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest().readUIntBE(0, 6) || 1
}
