import { LRUCache } from 'lru-cache'
import type { Users } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import { networkOf } from '../../core/http/client-address.ts'
import { namedUser } from './named-user.ts'

/** Failures for one user within the window. */
export const MAX_FAILURES_PER_USER = 10
/**
 * Failures from one network with any names, against password spraying. Much higher, because many users share an address (all of them
 * behind a proxy that is not configured), and one user's mistakes must not lock out the others.
 */
export const MAX_FAILURES_PER_NETWORK = 100
export const WINDOW = 5 * 60 * 1000
/** Maximum number of tracked keys; the least recently used are evicted. */
const MAX_ENTRIES = 20_000
/** Maximum length of an e-mail address (RFC 5321); longer names match no user and must not occupy memory. */
const MAX_NAME_LENGTH = 254

/** The key under which attempts for a user are counted. */
export const userKey = (userId: number): string => `user ${userId}`

/** A login with a user's key of the `SignInLimit`. */
export type SignInAttempt = { readonly who: string; readonly address: string; readonly device?: string | undefined }

export interface SignInLimit {
  /** The key of attempts with this name: of the user with that login or email address, or else of the name itself. */
  keyOf(login: string): Promise<string>
  /**
   * @param device id of a device on which the user has logged in before; then only its own failures count
   * @throws RestError 429 while the user or the network has too many failures
   */
  check(who: string, address: string, device?: string): void
  /** Counts a failure and returns a function that undoes it. On a known device, the network is not charged. */
  fail(who: string, address: string, device?: string): () => void
  /**
   * Records a successful login of this user from this network: from there, only failures from the same network count for the user, so
   * attacks from elsewhere do not lock the user out.
   */
  trust(who: string, address: string): void
}

/**
 * Limits password guessing with a sliding window: each failure counts for exactly five minutes. Fixed windows, as in
 * rate-limiter-flexible, would allow twice as many failures around a window boundary.
 */
export function createSignInLimit(now: () => number, users: Pick<Users, 'getByLogin' | 'getByEmail'>): SignInLimit {
  // `max` would allocate memory for all entries at startup, which takes milliseconds.
  const failures = new LRUCache<string, readonly number[]>({ maxSize: MAX_ENTRIES, sizeCalculation: () => 1 })
  const trusted = new LRUCache<string, true>({ maxSize: MAX_ENTRIES, sizeCalculation: () => 1 })

  const recent = (key: string) => failures.get(key)?.filter((moment) => moment > now() - WINDOW) ?? []
  /** The limit is exceeded until the oldest of the last `most` failures leaves the window. */
  const waitFor = (key: string, most: number) => (recent(key).at(-most) ?? -WINDOW) + WINDOW - now()
  const networkKey = (address: string) => `place ${networkOf(address)}`
  const userAndNetworkKey = (who: string, address: string) => `${who} ${networkKey(address)}`
  const deviceKey = (device: string) => `device ${device}`

  return {
    async keyOf(login) {
      const user = await namedUser(users, login)
      return user ? userKey(user.id) : `name ${login.slice(0, MAX_NAME_LENGTH).toLowerCase()}`
    },
    check(who, address, device) {
      const pair = userAndNetworkKey(who, address)
      const own = device === undefined ? (trusted.has(pair) ? pair : who) : deviceKey(device)
      const network = device === undefined ? [waitFor(networkKey(address), MAX_FAILURES_PER_NETWORK)] : []
      const wait = Math.max(waitFor(own, MAX_FAILURES_PER_USER), ...network)
      if (wait > 0) throw tooManyFailures(wait)
    },
    fail(who, address, device) {
      const moment = now()
      const keys = [
        who,
        userAndNetworkKey(who, address),
        device === undefined ? networkKey(address) : deviceKey(device),
      ]
      for (const key of keys) failures.set(key, [...recent(key), moment])
      return () => {
        for (const key of keys) {
          const moments = recent(key)
          const at = moments.indexOf(moment)
          failures.set(key, at < 0 ? moments : moments.toSpliced(at, 1))
        }
      }
    },
    trust(who, address) {
      trusted.set(userAndNetworkKey(who, address), true)
    },
  }
}

/** @param wait - Milliseconds until the next attempt. */
export function tooManyFailures(wait: number): RestError {
  const message = 'Too many failed login attempts. Please wait before you try again.'
  const headers = { 'Retry-After': String(Math.ceil(wait / 1000)) }
  return new RestError('rest_too_many_requests', message, { status: 429 }, headers)
}
