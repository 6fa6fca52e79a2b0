import { createHash, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { type ExtensionHost, lastDays, type ResponseOf, RestError, toGmt, type User } from 'pentad'
import { z } from 'zod'
import { createRowLimit } from '../users/row-limit.ts'
import type { Visitor } from '../users/visitor.ts'
import './hooks.ts'
import { openKeys, sealKeys } from './encrypted-keys.ts'
import { ownerOf } from './push-host.ts'
import { matchesFilter, type SubscriberFilter } from './subscriber-filter.ts'
import type { NewSubscription } from './subscription-input.ts'
import type { PushDatabase, Subscription } from './tables.ts'
import type { AnnouncedSubscription } from './types.ts'

/** Maximum subscribers per site. */
const MOST_SUBSCRIPTIONS = 500_000

/** Maximum push services other than the well-known ones, since anyone can register one. */
const MOST_ORIGINS = { edge: 60, other: 100 }

/** Proof of ownership of a subscription. */
export interface Proof {
  readonly user: User | null
  /** The `auth` key of the subscription. */
  readonly auth?: string | undefined
}

const named = z.array(z.object({ name: z.string().describe('Empty if unknown.'), count: z.int() }))

export const summaryShape = z.object({
  total: z.int(),
  ...{ browsers: named, operatingSystems: named, devices: named, countries: named },
  daily: z
    .array(z.object({ date: z.string(), count: z.int() }))
    .describe('New subscribers per day who are still subscribed, oldest first.'),
})

/** Subscriber statistics. */
export type SubscriberSummary = ResponseOf<typeof summaryShape>

export interface SubscriptionRows {
  /** Adds a subscription, or updates an existing one. @throws RestError 403, 503 */
  add(given: NewSubscription, proof: Proof, visitor: Visitor): Promise<{ id: number; isNew: boolean }>
  /** Replaces the subscription of a browser. @throws RestError 403, 404, 409 */
  replace(oldEndpoint: string, given: NewSubscription, proof: Proof): Promise<number>
  /** Links it to the current user, or unlinks it. @throws RestError 403, 404 */
  bind(endpoint: string, proof: Proof): Promise<{ id: number; userId: number | null }>
  /** @throws RestError 403, 404 */
  remove(endpoint: string, proof: Proof | 'administrator'): Promise<void>
  /** @throws RestError 404 */
  removeById(id: number): Promise<void>
  list(query: { search: string; filter: SubscriberFilter; limit: number; offset: number }): Promise<{
    rows: Subscription[]
    total: number
  }>
  /** Counts by kind in descending order, and new subscribers per day. */
  summary(days: number): Promise<SubscriberSummary>
  /** The subscriptions that are linked to a user. */
  ofUser(userId: number): Promise<Subscription[]>
  /** Unlinks the subscriptions of a deleted user. */
  unbind(userId: number): Promise<void>
  /** Fires `pwa_subscription_removed` for each. */
  announceRemoved(rows: readonly Subscription[]): Promise<void>
}

export function createSubscriptions(
  { hooks, vault }: Pick<ExtensionHost, 'hooks' | 'vault'>,
  db: PushDatabase,
): SubscriptionRows {
  const limit = createRowLimit(MOST_SUBSCRIPTIONS, async () => {
    const all = db.selectFrom('pwa_subscriptions').select((row) => row.fn.countAll<number>().as('rows'))
    return (await all.executeTakeFirstOrThrow()).rows
  })
  async function find(endpoint: string): Promise<Subscription | undefined> {
    const stored = db.selectFrom('pwa_subscriptions').selectAll().where('endpoint_hash', '=', hashOf(endpoint))
    const row = await stored.executeTakeFirst()
    return row && openKeys(vault, row)
  }

  function columnsOf({ endpoint, p256dh, auth, encoding, expires }: NewSubscription) {
    const endpoint_hash = hashOf(endpoint)
    const origin = new URL(endpoint).origin
    return { endpoint_hash, origin, p256dh, encoding, expires, ...sealKeys(vault, { endpoint, auth, endpoint_hash }) }
  }

  async function findOrThrow(endpoint: string): Promise<Subscription> {
    const row = await find(endpoint)
    if (!row) throw notFound()
    return row
  }

  /** Enforces the limits on subscribers and push services. */
  async function checkLimits(origin: string): Promise<void> {
    const full = new RestError('too_many_subscriptions', 'The maximum number of subscribers has been reached.', {
      status: 503,
    })
    if (!(await limit.hasRoom())) throw full
    const owner = ownerOf(origin)
    if (owner === 'browser') return
    const known = db.selectFrom('pwa_subscriptions').select('id').where('origin', '=', origin).limit(1)
    if (await known.executeTakeFirst()) return
    const origins = await db.selectFrom('pwa_subscriptions').select('origin').distinct().execute()
    if (origins.filter((one) => ownerOf(one.origin) === owner).length >= MOST_ORIGINS[owner]) throw full
  }

  const rows: SubscriptionRows = {
    async add(given, { user }, visitor) {
      const known = await find(given.endpoint)
      if (!known) await checkLimits(new URL(given.endpoint).origin)
      const inserted =
        known === undefined
          ? await db
              .insertInto('pwa_subscriptions')
              .values({
                ...columnsOf(given),
                user_id: user?.id ?? null,
                user_proven: user ? 1 : 0,
                country: visitor.country,
                operating_system: visitor.operatingSystem,
                browser: visitor.browser,
                device: visitor.device,
                created_gmt: toGmt(Date.now()),
              })
              .onConflict((conflict) => conflict.doNothing())
              .returningAll()
              .executeTakeFirst()
          : undefined
      if (inserted) {
        await hooks.doActionAsync('pwa_subscription_added', announced(inserted))
        return { id: inserted.id, isNew: true }
      }
      const row = await findOrThrow(given.endpoint)
      checkOwner(row, { user, auth: given.auth })
      await db
        .updateTable('pwa_subscriptions')
        .set({ ...columnsOf(given), ...(user && { user_id: user.id, user_proven: 1 }) })
        .where('id', '=', row.id)
        .execute()
      return { id: row.id, isNew: false }
    },

    async replace(oldEndpoint, given, proof) {
      const row = await findOrThrow(oldEndpoint)
      // Browsers that keep their keys prove ownership with the new subscription.
      const isCacheable = proof.auth === undefined && isSame(given.auth, row.auth)
      checkOwner(row, isCacheable ? { ...proof, auth: given.auth } : proof)
      const other = hashOf(given.endpoint) === row.endpoint_hash ? undefined : await find(given.endpoint)
      if (other) checkOwner(other, { user: null, auth: given.auth })
      const origin = new URL(given.endpoint).origin
      if (origin !== row.origin) await checkLimits(origin)
      await db
        .transaction()
        .execute(async (trx) => {
          if (other) await trx.deleteFrom('pwa_subscriptions').where('id', '=', other.id).execute()
          await trx.updateTable('pwa_subscriptions').set(columnsOf(given)).where('id', '=', row.id).execute()
          // Pending deliveries go to the new endpoint.
          await trx.updateTable('pwa_deliveries').set({ origin }).where('subscription_id', '=', row.id).execute()
        })
        .catch(async (error) => {
          const first = await find(given.endpoint)
          throw first && first.id !== row.id ? subscriptionConflict() : error
        })
      return row.id
    },

    async bind(endpoint, proof) {
      const row = await findOrThrow(endpoint)
      const userId = proof.user?.id ?? null
      const isProven = proof.auth !== undefined
      // Without the key, only an unlinked subscription can be linked.
      const isNobodys = row.user_id === null && proof.auth === undefined
      if (!isNobodys) checkOwner(row, proof)
      if (userId !== row.user_id || (isProven && userId !== null && row.user_proven === 0))
        await db
          .updateTable('pwa_subscriptions')
          .set({ user_id: userId, user_proven: isProven && userId !== null ? 1 : 0 })
          .where('id', '=', row.id)
          .execute()
      return { id: row.id, userId }
    },

    async remove(endpoint, proof) {
      const row = await findOrThrow(endpoint)
      if (proof !== 'administrator') checkOwner(row, proof)
      await rows.removeById(row.id)
    },

    async removeById(id) {
      const removed = await db.deleteFrom('pwa_subscriptions').where('id', '=', id).returningAll().execute()
      if (removed.length === 0) throw notFound()
      await rows.announceRemoved(removed)
    },

    async list({ search, filter, limit, offset }) {
      let matching = db.selectFrom('pwa_subscriptions').where(matchesFilter(filter))
      const text = search.trim().toLowerCase()
      if (text !== '') {
        const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
        matching = matching.where((row) =>
          row.or(
            (['country', 'operating_system', 'browser', 'device'] as const).map(
              (column) => sql<boolean>`lower(${row.ref(column)}) like ${pattern} escape '\\'`,
            ),
          ),
        )
      }
      const { total } = await matching.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const page = matching.selectAll().orderBy('id', 'desc').limit(limit).offset(offset)
      return { rows: await page.execute(), total }
    },

    async summary(days) {
      // One query, since there are few combinations.
      const kinds = await db
        .selectFrom('pwa_subscriptions')
        .select(['browser', 'operating_system', 'device', 'country', (row) => row.fn.countAll<number>().as('count')])
        .groupBy(['browser', 'operating_system', 'device', 'country'])
        .execute()
      const dates = lastDays(days)
      const came = await db
        .selectFrom('pwa_subscriptions')
        .select((row) => row.fn<string>('substr', ['created_gmt', row.lit(1), row.lit(10)]).as('date'))
        .select((row) => row.fn.countAll<number>().as('count'))
        .where('created_gmt', '>=', `${dates[0]} 00:00:00`)
        .groupBy('date')
        .execute()
      const perDay = new Map(came.map(({ date, count }) => [date, count]))
      const of = (column: 'browser' | 'operating_system' | 'device' | 'country') =>
        [...Map.groupBy(kinds, (kind) => kind[column])]
          .map(([name, some]) => ({ name, count: some.reduce((sum, { count }) => sum + count, 0) }))
          .sort((one, other) => other.count - one.count)
      return {
        total: kinds.reduce((sum, { count }) => sum + count, 0),
        browsers: of('browser'),
        operatingSystems: of('operating_system'),
        devices: of('device'),
        countries: of('country'),
        daily: dates.map((date) => ({ date, count: perDay.get(date) ?? 0 })),
      }
    },

    ofUser: (userId) =>
      db.selectFrom('pwa_subscriptions').selectAll().where('user_id', '=', userId).orderBy('id').execute(),

    async unbind(userId) {
      const nobody = { user_id: null, user_proven: 0 }
      await db.updateTable('pwa_subscriptions').set(nobody).where('user_id', '=', userId).execute()
    },

    async announceRemoved(removed) {
      for (const row of removed) await hooks.doActionAsync('pwa_subscription_removed', announced(row))
    },
  }
  return rows
}

/** Subscription data for hooks, without its endpoint and keys. */
function announced({ id, user_id, origin }: Subscription): AnnouncedSubscription {
  return { id, userId: user_id, host: new URL(origin).host }
}

/** A subscription can be changed only with its key, or by the user to whom it was linked with the key. */
function checkOwner(row: Subscription, { user, auth }: Proof): void {
  // Encrypted with a lost site key. The endpoint is secret too, so the browser can subscribe again.
  if (row.auth === '') return
  if (auth !== undefined ? isSame(auth, row.auth) : user !== null && row.user_id === user.id && row.user_proven === 1)
    return
  throw new RestError('subscription_forbidden', 'The subscription belongs to a different browser.', { status: 403 })
}

function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function notFound(): RestError {
  return new RestError('subscription_not_found', 'The subscription does not exist.', { status: 404 })
}

function subscriptionConflict(): RestError {
  const message = 'The new subscription was stored by another request at the same time.'
  return new RestError('subscription_conflict', message, { status: 409 })
}

function hashOf(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('hex')
}
