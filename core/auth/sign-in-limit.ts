import { LRUCache } from 'lru-cache'
import { RestError } from '../errors.ts'
import { networkOf } from '../http/client-address.ts'
import { namedUser } from './named-user.ts'
import type { Users } from './types.ts'

/** Failures for one user within the window: contract 2.6. */
const MAX_FAILURES_PER_USER = 10
/**
 * Failures from one address with any names. Many people share an address, all of them where a proxy in front was not
 * declared, so one person's ten mistakes must not keep the others out; it stops those who try one password on many names.
 */
const MAX_FAILURES_PER_NETWORK = 100
const WINDOW = 5 * 60 * 1000
/** Names and addresses remembered; a flood of new ones pushes out the least recent. */
const MAX_ENTRIES = 20_000
/** Of an e-mail address (RFC 5321); longer names match no user and must not fill the memory. */
const MAX_NAME_LENGTH = 254

/** For whom attempts with the names of a user are counted. */
export const userKey = (userId: number): string => `user ${userId}`

export interface SignInLimit {
  /**
   * Whom attempts with this name are counted for: the user, whether named by login or by e-mail address, or the name
   * itself where no user has it.
   */
  keyOf(login: string): Promise<string>
  /**
   * Rejects with 429 while `who` or the address has too many failures; on a device that `who` has logged in with before,
   * while the device has.
   */
  check(who: string, address: string, device?: string): void
  /** Counts a failure; what it returns takes that failure back. On a known device the address is not charged with it. */
  fail(who: string, address: string, device?: string): () => void
  /**
   * Someone signed in as this user from this address: from here, failures that others have elsewhere with their name no
   * longer lock them out. Those from here still count.
   */
  trust(who: string, address: string): void
}

/**
 * Limits guessing. Each failure counts for exactly five minutes: a log of moments, where a counter of fixed windows
 * (rate-limiter-flexible) would let twenty through around the seam.
 */
export function createSignInLimit(now: () => number, users: Pick<Users, 'getByLogin' | 'getByEmail'>): SignInLimit {
  // `max` would lay out the room for all of them now: milliseconds of each start.
  const failures = new LRUCache<string, readonly number[]>({ maxSize: MAX_ENTRIES, sizeCalculation: () => 1 })
  const trusted = new LRUCache<string, true>({ maxSize: MAX_ENTRIES, sizeCalculation: () => 1 })

  const recent = (key: string) => failures.get(key)?.filter((moment) => moment > now() - WINDOW) ?? []
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
      const unknownDevice = [
        [trusted.has(pair) ? pair : who, MAX_FAILURES_PER_USER],
        [networkKey(address), MAX_FAILURES_PER_NETWORK],
      ] as const
      const limits = device === undefined ? unknownDevice : [[deviceKey(device), MAX_FAILURES_PER_USER] as const]
      const waits = limits.map(([key, most]) => {
        // The oldest of the last so many has to age out.
        const oldest = recent(key).at(-most)
        return oldest === undefined ? 0 : oldest + WINDOW - now()
      })
      const wait = Math.max(...waits)
      if (wait <= 0) return
      const seconds = Math.ceil(wait / 1000)
      throw new RestError(
        'rest_too_many_requests',
        'Too many failed login attempts. Please wait before you try again.',
        { status: 429 },
        { 'Retry-After': String(seconds) },
      )
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
