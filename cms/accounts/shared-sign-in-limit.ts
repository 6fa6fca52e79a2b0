import { createHmac, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../core/database/index.ts'
import { networkOf } from '../../core/http/client-address.ts'
import {
  MAX_FAILURES_PER_NETWORK,
  MAX_FAILURES_PER_USER,
  type SignInAttempt,
  tooManyFailures,
  WINDOW,
} from './sign-in-limit.ts'
import './tables.ts'

/** Milliseconds for which a network is remembered from which a user has logged in. */
const TRUSTED = 30 * 24 * 60 * 60 * 1000
/** How many of them a node does not record again, and for how long, in ms. */
const WRITTEN = 10_000
const WRITTEN_FOR = 24 * 60 * 60 * 1000

/** The limit of failed logins of all nodes. */
export interface SharedSignInLimit {
  /** @throws RestError 429 `rest_too_many_requests` */
  check(attempt: SignInAttempt): Promise<void>
  /** Counts a failure. */
  fail(attempt: SignInAttempt): Promise<void>
  /** Records a success, as `SignInLimit.trust` does. */
  trust(attempt: SignInAttempt): Promise<void>
  /**
   * Counts an attempt as failed until it succeeds, so that concurrent attempts count too.
   * @returns a function for its success
   * @throws RestError 429 `rest_too_many_requests`
   */
  count(attempt: SignInAttempt): Promise<() => Promise<void>>
}

/**
 * The same rules as those of a single node (`sign-in-limit.ts`), which rejects most attempts without a query. Entered names may be
 * passwords, so only keyed hashes are stored.
 */
export function createSharedSignInLimit(
  { db }: Pick<Database, 'db'>,
  key: Buffer,
  now: () => number,
): SharedSignInLimit {
  const hashOf = (...parts: readonly string[]) =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')

  /** Networks that this node has recorded. */
  const written = new LRUCache<string, true>({ maxSize: WRITTEN, sizeCalculation: () => 1, ttl: WRITTEN_FOR })

  /** What the failures of an attempt are counted under. */
  function subjectsOf({ who, address, device }: SignInAttempt) {
    const network = networkOf(address)
    return {
      user: hashOf('user', who),
      pair: hashOf('pair', who, network),
      place: device === undefined ? hashOf('network', network) : hashOf('device', device),
    }
  }

  /** Milliseconds until fewer than `most` failures are left; not positive if so now. */
  async function waitFor(subject: string, most: number, own: number): Promise<number> {
    const oldest = await db
      .selectFrom('sign_in_failures')
      .select('moment')
      .where('subject', '=', subject)
      .where('moment', '>', now() - WINDOW)
      .orderBy('moment', 'desc')
      .offset(most - 1 + own)
      .limit(1)
      .executeTakeFirst()
    return oldest ? oldest.moment + WINDOW - now() : 0
  }

  /** @param own - Failures of this attempt that are stored already. */
  async function checkLimits(attempt: SignInAttempt, own: number): Promise<void> {
    const { user, pair, place } = subjectsOf(attempt)
    const trusted = await db
      .selectFrom('sign_in_networks')
      .select('moment')
      .where('pair', '=', pair)
      .where('moment', '>', now() - TRUSTED)
      .executeTakeFirst()
    const waits =
      attempt.device === undefined
        ? [waitFor(trusted ? pair : user, MAX_FAILURES_PER_USER, own), waitFor(place, MAX_FAILURES_PER_NETWORK, own)]
        : [waitFor(place, MAX_FAILURES_PER_USER, own)]
    const wait = Math.max(...(await Promise.all(waits)))
    if (wait > 0) throw tooManyFailures(wait)
  }

  /** @returns a function that undoes it */
  async function store(failed: SignInAttempt): Promise<() => Promise<unknown>> {
    const [attempt, moment] = [randomUUID(), now()]
    const rows = Object.values(subjectsOf(failed)).map((subject) => ({ attempt, subject, moment }))
    await db
      .deleteFrom('sign_in_failures')
      .where('moment', '<', moment - WINDOW)
      .execute()
    await db.insertInto('sign_in_failures').values(rows).execute()
    return () => db.deleteFrom('sign_in_failures').where('attempt', '=', attempt).execute()
  }

  async function trust(attempt: SignInAttempt): Promise<void> {
    const { pair } = subjectsOf(attempt)
    if (written.has(pair)) return
    written.set(pair, true)
    const moment = now()
    await db
      .deleteFrom('sign_in_networks')
      .where('moment', '<', moment - TRUSTED)
      .execute()
    await db
      .insertInto('sign_in_networks')
      .values({ pair, moment })
      .onConflict((row) => row.column('pair').doUpdateSet({ moment }))
      .execute()
  }

  return {
    trust,
    check: (attempt) => checkLimits(attempt, 0),
    fail: async (attempt) => void (await store(attempt)),
    async count(attempt) {
      const undo = await store(attempt)
      try {
        await checkLimits(attempt, 1)
      } catch (error) {
        await undo()
        throw error
      }
      return async () => {
        await undo()
        await trust(attempt)
      }
    },
  }
}
