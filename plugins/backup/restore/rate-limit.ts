import { RestError } from 'pentad'

/** So many tries of one address within so many milliseconds. */
const MOST = 20
const WITHIN = 5 * 60 * 1000

/** Slows down whoever tries tokens: they can't be guessed, but need not be tried all day. */
export function createRateLimit(now: () => number = Date.now): { count(address: string): void } {
  let tries = new Map<string, { since: number; count: number }>()
  return {
    count(address) {
      tries = new Map([...tries].filter(([, { since }]) => now() - since < WITHIN))
      const known = tries.get(address) ?? { since: now(), count: 0 }
      tries.set(address, { ...known, count: known.count + 1 })
      if (known.count < MOST) return
      const seconds = Math.ceil((known.since + WITHIN - now()) / 1000)
      const message = 'Too many tries. Wait a few minutes.'
      throw new RestError('rest_too_many_requests', message, { status: 429 }, { 'Retry-After': String(seconds) })
    },
  }
}
