import { LRUCache } from 'lru-cache'
import { RestError } from '../errors.ts'
import { networkOf } from '../http/client-address.ts'
import { namedUser } from './named-user.ts'
import type { Users } from './types.ts'

/** Failures for one user within the window: contract 2.6. */
const FAILURES_OF_USER = 10
/**
 * Failures from one address with any names. Many people share an address, all of them where a proxy in front was not
 * declared, so one person's ten mistakes must not keep the others out; it stops those who try one password on many names.
 */
const FAILURES_FROM_PLACE = 100
const WINDOW = 5 * 60 * 1000
/** Names and addresses remembered; a flood of new ones pushes out the least recent. */
const MEMORY = 20_000
/** Of an e-mail address (RFC 5321); longer names match no user and must not fill the memory. */
const LONGEST_NAME = 254

/** For whom attempts with the names of a user are counted. */
export const whoIs = (userId: number): string => `user ${userId}`

export interface SignInLimit {
  /**
   * Whom attempts with this name are counted for: the user, whether named by login or by e-mail address, or the name
   * itself where no user has it.
   */
  who(login: string): Promise<string>
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
  const failures = new LRUCache<string, readonly number[]>({ maxSize: MEMORY, sizeCalculation: () => 1 })
  const trusted = new LRUCache<string, true>({ maxSize: MEMORY, sizeCalculation: () => 1 })

  const recent = (key: string) => failures.get(key)?.filter((moment) => moment > now() - WINDOW) ?? []
  const placeOf = (address: string) => `place ${networkOf(address)}`
  const pairOf = (who: string, address: string) => `${who} ${placeOf(address)}`
  const deviceOf = (device: string) => `device ${device}`

  return {
    async who(login) {
      const user = await namedUser(users, login)
      return user ? whoIs(user.id) : `name ${login.slice(0, LONGEST_NAME).toLowerCase()}`
    },
    check(who, address, device) {
      const pair = pairOf(who, address)
      const ofStranger = [
        [trusted.has(pair) ? pair : who, FAILURES_OF_USER],
        [placeOf(address), FAILURES_FROM_PLACE],
      ] as const
      const limits = device === undefined ? ofStranger : [[deviceOf(device), FAILURES_OF_USER] as const]
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
      const keys = [who, pairOf(who, address), device === undefined ? placeOf(address) : deviceOf(device)]
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
      trusted.set(pairOf(who, address), true)
    },
  }
}
