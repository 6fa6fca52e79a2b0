import { createHash, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { type AnswerOf, type ExtensionHost, lastDays, RestError, toGmt, type User } from 'pentad'
import { z } from 'zod'
import { createRowLimit } from '../users/row-limit.ts'
import type { Visitor } from '../users/visitor.ts'
import './hooks.ts'
import { ownerOf } from './push-host.ts'
import { openKeys, sealKeys } from './sealed-keys.ts'
import { likeThose, type SubscriberFilter } from './subscriber-filter.ts'
import type { NewSubscription } from './subscription-input.ts'
import type { PushDatabase, Subscription } from './tables.ts'
import type { AnnouncedSubscription } from './types.ts'

/** Subscribers that a site keeps. */
const MOST_SUBSCRIPTIONS = 500_000

/** Push services among them besides the few that browsers have: anybody can name one. */
const MOST_ORIGINS = { edge: 60, other: 100 }

/** What a caller shows to have a subscription changed. */
export interface Proof {
  readonly user: User | null
  /** The `auth` key of the subscription. */
  readonly auth?: string | undefined
}

const named = z.array(z.object({ name: z.string().describe('Empty where it is not known.'), count: z.int() }))

export const summaryShape = z.object({
  total: z.int(),
  ...{ browsers: named, operatingSystems: named, devices: named, countries: named },
  daily: z
    .array(z.object({ date: z.string(), count: z.int() }))
    .describe('New ones that are still there, oldest day first.'),
})

/** Who takes notifications. */
export type SubscriberSummary = AnswerOf<typeof summaryShape>

export interface SubscriptionRows {
  /** Keeps a new one; of a known one it changes what its owner may. @throws RestError 403, 503 */
  add(given: NewSubscription, proof: Proof, visitor: Visitor): Promise<{ id: number; isNew: boolean }>
  /** Puts a subscription in the place of another one of the same browser. @throws RestError 403, 404, 409 */
  replace(oldEndpoint: string, given: NewSubscription, proof: Proof): Promise<number>
  /** Binds it to who is signed in, or to nobody. @throws RestError 403, 404 */
  bind(endpoint: string, proof: Proof): Promise<{ id: number; userId: number | null }>
  /** @throws RestError 403, 404 */
  remove(endpoint: string, proof: Proof | 'administrator'): Promise<void>
  /** @throws RestError 404 */
  removeById(id: number): Promise<void>
  list(query: { search: string; filter: SubscriberFilter; limit: number; offset: number }): Promise<{
    rows: Subscription[]
    total: number
  }>
  /** How many there are of each kind, most first, and how many came on each of the last days. */
  summary(days: number): Promise<SubscriberSummary>
  /** Lets those go who were bound to a user that is no more. */
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

  async function findOrRefuse(endpoint: string): Promise<Subscription> {
    const row = await find(endpoint)
    if (!row) throw notFound()
    return row
  }

  /** Anybody can name any push service; a new one must not be one too many. */
  async function refuseWhenFull(origin: string): Promise<void> {
    const full = new RestError('too_many_subscriptions', 'This site takes no more subscribers.', { status: 503 })
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
      if (!known) await refuseWhenFull(new URL(given.endpoint).origin)
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
      const row = await findOrRefuse(given.endpoint)
      refuseStranger(row, { user, auth: given.auth })
      await db
        .updateTable('pwa_subscriptions')
        .set({ ...columnsOf(given), ...(user && { user_id: user.id, user_proven: 1 }) })
        .where('id', '=', row.id)
        .execute()
      return { id: row.id, isNew: false }
    },

    async replace(oldEndpoint, given, proof) {
      const row = await findOrRefuse(oldEndpoint)
      // Browsers that keep their keys show the old one with the new subscription.
      const isKept = proof.auth === undefined && isSame(given.auth, row.auth)
      refuseStranger(row, isKept ? { ...proof, auth: given.auth } : proof)
      const other = hashOf(given.endpoint) === row.endpoint_hash ? undefined : await find(given.endpoint)
      if (other) refuseStranger(other, { user: null, auth: given.auth })
      const origin = new URL(given.endpoint).origin
      if (origin !== row.origin) await refuseWhenFull(origin)
      await db
        .transaction()
        .execute(async (trx) => {
          if (other) await trx.deleteFrom('pwa_subscriptions').where('id', '=', other.id).execute()
          await trx.updateTable('pwa_subscriptions').set(columnsOf(given)).where('id', '=', row.id).execute()
          // What it still has to get goes to where the browser is now.
          await trx.updateTable('pwa_deliveries').set({ origin }).where('subscription_id', '=', row.id).execute()
        })
        .catch(async (error) => {
          const first = await find(given.endpoint)
          throw first && first.id !== row.id ? takenMeanwhile() : error
        })
      return row.id
    },

    async bind(endpoint, proof) {
      const row = await findOrRefuse(endpoint)
      const userId = proof.user?.id ?? null
      const isProven = proof.auth !== undefined
      // Without the key nothing is taken from anybody: only a subscription that is nobody's can be bound.
      const isNobodys = row.user_id === null && proof.auth === undefined
      if (!isNobodys) refuseStranger(row, proof)
      if (userId !== row.user_id || (isProven && userId !== null && row.user_proven === 0))
        await db
          .updateTable('pwa_subscriptions')
          .set({ user_id: userId, user_proven: isProven && userId !== null ? 1 : 0 })
          .where('id', '=', row.id)
          .execute()
      return { id: row.id, userId }
    },

    async remove(endpoint, proof) {
      const row = await findOrRefuse(endpoint)
      if (proof !== 'administrator') refuseStranger(row, proof)
      await rows.removeById(row.id)
    },

    async removeById(id) {
      const removed = await db.deleteFrom('pwa_subscriptions').where('id', '=', id).returningAll().execute()
      if (removed.length === 0) throw notFound()
      await rows.announceRemoved(removed)
    },

    async list({ search, filter, limit, offset }) {
      let matching = db.selectFrom('pwa_subscriptions').where(likeThose(filter))
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
      // One look at all rows: of combinations there are few.
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

/** What extensions hear of a subscription: neither endpoint nor keys, by which they could be used. */
function announced({ id, user_id, origin }: Subscription): AnnouncedSubscription {
  return { id, userId: user_id, host: new URL(origin).host }
}

/** Only who knows the key may change a subscription, or the user to whom somebody bound it who knew it. */
function refuseStranger(row: Subscription, { user, auth }: Proof): void {
  // Encrypted with a key that is lost: the browser subscribes again, and only who knows the endpoint gets here.
  if (row.auth === '') return
  if (auth !== undefined ? isSame(auth, row.auth) : user !== null && row.user_id === user.id && row.user_proven === 1)
    return
  throw new RestError('subscription_forbidden', 'The subscription belongs to another browser.', { status: 403 })
}

function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function notFound(): RestError {
  return new RestError('subscription_not_found', 'There is no such subscription.', { status: 404 })
}

function takenMeanwhile(): RestError {
  const message = 'Another call has stored the new subscription at the same moment.'
  return new RestError('subscription_conflict', message, { status: 409 })
}

function hashOf(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('hex')
}
