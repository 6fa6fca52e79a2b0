import { RestError } from 'pentad'

/** Maximum attempts per IP address in the period (ms). */
const MOST = 20
const WITHIN = 5 * 60 * 1000

/** Limits attempts to guess tokens. */
export function createRateLimit(now: () => number = Date.now): { count(address: string): void } {
  let tries = new Map<string, { since: number; count: number }>()
  return {
    count(address) {
      tries = new Map([...tries].filter(([, { since }]) => now() - since < WITHIN))
      const known = tries.get(address) ?? { since: now(), count: 0 }
      tries.set(address, { ...known, count: known.count + 1 })
      if (known.count < MOST) return
      const seconds = Math.ceil((known.since + WITHIN - now()) / 1000)
      const message = 'Too many attempts. Try again in a few minutes.'
      throw new RestError('rest_too_many_requests', message, { status: 429 }, { 'Retry-After': String(seconds) })
    },
  }
}
