import { sql } from 'kysely'
import type { Vault } from 'pentad'
import type { Delivery, Result } from './delivery.ts'
import { openKeys } from './encrypted-keys.ts'
import { matchesFilter, type SubscriberFilter } from './subscriber-filter.ts'
import type { DeliveryTable, PushDatabase, SendingRow, Subscription } from './tables.ts'
import type { Entries } from './write-buffer.ts'

/** Milliseconds after which a claimed delivery is considered lost; well above the timeout of a message. */
const CLAIM_TIME = 60_000

/** Maximum rows per statement. */
const ROWS = 512

/** Recipients: everyone, those who match a filter, or specific ones. */
export type Audience =
  | { readonly to: 'all' }
  | { readonly to: 'matching'; readonly filter: SubscriberFilter }
  | { readonly to: 'subscriptions' | 'users'; readonly ids: readonly number[] }

/** Counts of a broadcast. `removed` is the number of failed subscriptions that no longer exist. */
export type Counts = Pick<SendingRow, 'total' | 'sent' | 'failed' | 'removed'>

/**
 * Queue of deliveries in the database. A delivery is claimed before it is sent. If the process crashes after that, it
 * counts as failed because it may have arrived. So no one receives a notification twice, even with several processes.
 */
export interface Deliveries {
  /** Creates the deliveries of a broadcast, once. `false` if the same reason was sent before. */
  begin(
    id: string,
    audience: Audience,
    reason: string | null,
    content: Pick<SendingRow, 'title' | 'body'>,
  ): Promise<boolean>
  counts(id: string): Promise<Counts | undefined>
  /** Push services with due deliveries. */
  origins(id: string, now: number): Promise<string[]>
  /** Due deliveries ordered by subscription id, after the given id. */
  batch(id: string, origin: string, after: number, limit: number, now: number): Promise<Delivery[]>
  /**
   * Claims deliveries, ends others, counts them and removes expired subscriptions in one transaction. Returns the ids
   * that were claimed and the removed subscriptions.
   */
  write(id: string, entries: Entries, now: number): Promise<{ claimed: Set<number>; gone: Subscription[] }>
  /** Ends deliveries whose process crashed or whose subscription was removed. */
  failLost(id: string, now: number): Promise<void>
  /** Ends all waiting deliveries. */
  fail(id: string): Promise<void>
  /** Open deliveries: when the first is due, by push service and state. */
  pending(id: string): Promise<Pick<DeliveryTable, 'origin' | 'state' | 'due'>[]>
  /** Broadcasts, newest first. */
  list(page: { limit: number; offset: number }): Promise<{ rows: SendingRow[]; total: number }>
  /** Deletes older broadcasts. */
  prune(before: number): Promise<void>
}

export function createDeliveries(db: PushDatabase, vault: Vault): Deliveries {
  type Transaction = Parameters<Parameters<ReturnType<PushDatabase['transaction']>['execute']>[0]>[0]

  async function count(trx: Transaction, id: string, sent: number, failed: number, removed: number): Promise<void> {
    await trx
      .updateTable('pwa_sendings')
      .set((row) => ({
        sent: row('sent', '+', sent),
        failed: row('failed', '+', failed),
        removed: row('removed', '+', removed),
      }))
      .where('id', '=', id)
      .execute()
  }

  /** Deletes deliveries and returns how many: another process may have ended some of them. */
  async function end(trx: Transaction, id: string, ids: readonly number[]): Promise<number> {
    let ended = 0
    for (const some of inRows(ids)) {
      const { numDeletedRows } = await trx
        .deleteFrom('pwa_deliveries')
        .where('sending_id', '=', id)
        .where('subscription_id', 'in', some)
        .executeTakeFirstOrThrow()
      ended += Number(numDeletedRows)
    }
    return ended
  }

  async function claim(trx: Transaction, id: string, ids: readonly number[], now: number): Promise<Set<number>> {
    const claimed = new Set<number>()
    for (const some of inRows(ids)) {
      const rows = await trx
        .updateTable('pwa_deliveries')
        .set((row) => ({ state: 'claimed', due: now + CLAIM_TIME, attempts: row('attempts', '+', 1) }))
        .where('sending_id', '=', id)
        .where('subscription_id', 'in', some)
        .where('state', '=', 'waiting')
        .returning('subscription_id')
        .execute()
      for (const { subscription_id } of rows) claimed.add(subscription_id)
    }
    return claimed
  }

  async function settle(trx: Transaction, id: string, results: readonly Result[]): Promise<Subscription[]> {
    const ids = (...kinds: Result['end'][]) => results.filter(({ end }) => kinds.includes(end)).map((one) => one.id)
    const sent = await end(trx, id, ids('sent'))
    const failed = await end(trx, id, ids('failed', 'gone'))
    const gone: Subscription[] = []
    for (const result of results) {
      if (result.end !== 'gone') continue
      // Not by id: the browser may have changed the endpoint since.
      const hash = result.endpoint_hash
      const row = trx.deleteFrom('pwa_subscriptions').where('endpoint_hash', '=', hash).returningAll()
      gone.push(...(await row.execute()))
    }
    await count(trx, id, sent, failed, gone.length)
    for (const { id: subscriptionId, end } of results) {
      if (typeof end === 'string') continue
      await trx
        .updateTable('pwa_deliveries')
        .set({ state: 'waiting', due: end.againAt })
        .where('sending_id', '=', id)
        .where('subscription_id', '=', subscriptionId)
        .where('state', '=', 'claimed')
        .execute()
    }
    return gone
  }

  return {
    begin: (id, audience, reason, content) =>
      db.transaction().execute(async (trx) => {
        const now = Date.now()
        const begun = await trx
          .insertInto('pwa_sendings')
          .values({
            id,
            reason,
            ...content,
            audience: audience.to,
            total: 0,
            sent: 0,
            failed: 0,
            removed: 0,
            created: now,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst()
        if (!begun) return (await trx.selectFrom('pwa_sendings').select('id').where('id', '=', id).execute()).length > 0
        const receivers = trx
          .selectFrom('pwa_subscriptions')
          .select([
            sql<string>`cast(${id} as text)`.as('sending_id'),
            'id as subscription_id',
            'origin',
            sql<'waiting'>`'waiting'`.as('state'),
            sql<number>`0`.as('attempts'),
            sql<number>`0`.as('due'),
          ])
          .where((row) => row.or([row('expires', 'is', null), row('expires', '>', now)]))
        const insert = async (some: typeof receivers) => {
          const { numInsertedOrUpdatedRows } = await trx
            .insertInto('pwa_deliveries')
            .columns(['sending_id', 'subscription_id', 'origin', 'state', 'attempts', 'due'])
            .expression(some)
            .executeTakeFirstOrThrow()
          return Number(numInsertedOrUpdatedRows ?? 0)
        }
        let total = 0
        if (audience.to === 'all') total = await insert(receivers)
        else if (audience.to === 'matching') total = await insert(receivers.where(matchesFilter(audience.filter)))
        else {
          const column = audience.to === 'users' ? 'user_id' : 'id'
          for (const some of inRows([...new Set(audience.ids)]))
            total += await insert(receivers.where(column, 'in', some))
        }
        await trx.updateTable('pwa_sendings').set({ total }).where('id', '=', id).execute()
        return true
      }),

    counts: (id) =>
      db
        .selectFrom('pwa_sendings')
        .select(['total', 'sent', 'failed', 'removed'])
        .where('id', '=', id)
        .executeTakeFirst(),

    async origins(id, now) {
      const rows = await db
        .selectFrom('pwa_deliveries')
        .select('origin')
        .distinct()
        .where('sending_id', '=', id)
        .where('state', '=', 'waiting')
        .where('due', '<=', now)
        .execute()
      return rows.map(({ origin }) => origin)
    },

    async batch(id, origin, after, limit, now) {
      const rows = await db
        .selectFrom('pwa_deliveries')
        .innerJoin('pwa_subscriptions', 'pwa_subscriptions.id', 'pwa_deliveries.subscription_id')
        .select(['id', 'attempts', 'endpoint', 'endpoint_hash', 'p256dh', 'auth', 'encoding'])
        .where('sending_id', '=', id)
        .where('pwa_deliveries.origin', '=', origin)
        .where('pwa_subscriptions.origin', '=', origin)
        .where('state', '=', 'waiting')
        .where('subscription_id', '>', after)
        .where('due', '<=', now)
        .orderBy('subscription_id')
        .limit(limit)
        .execute()
      return rows.map((row) => openKeys(vault, row))
    },

    write: (id, { claims, results }, now) =>
      db.transaction().execute(async (trx) => {
        const claimed = await claim(trx, id, claims, now)
        return { claimed, gone: results.length > 0 ? await settle(trx, id, results) : [] }
      }),

    failLost: (id, now) =>
      db.transaction().execute(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('pwa_deliveries')
          .where('sending_id', '=', id)
          .where((row) =>
            row.or([
              row.and([row('state', '=', 'claimed'), row('due', '<', now)]),
              row.and([
                row('state', '=', 'waiting'),
                row.not(
                  row.exists(
                    row
                      .selectFrom('pwa_subscriptions')
                      .select('id')
                      .whereRef('id', '=', 'subscription_id')
                      // The subscription moved to another push service while the broadcast started.
                      .whereRef('pwa_subscriptions.origin', '=', 'pwa_deliveries.origin'),
                  ),
                ),
              ]),
            ]),
          )
          .executeTakeFirstOrThrow()
        if (numDeletedRows > 0n) await count(trx, id, 0, Number(numDeletedRows), 0)
      }),

    fail: (id) =>
      db.transaction().execute(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('pwa_deliveries')
          .where('sending_id', '=', id)
          .where('state', '=', 'waiting')
          .executeTakeFirstOrThrow()
        await count(trx, id, 0, Number(numDeletedRows), 0)
      }),

    pending: (id) =>
      db
        .selectFrom('pwa_deliveries')
        .select(['origin', 'state', (row) => row.fn.min('due').as('due')])
        .where('sending_id', '=', id)
        .groupBy(['origin', 'state'])
        .execute(),

    async list({ limit, offset }) {
      const listed = db.selectFrom('pwa_sendings').where('audience', 'in', ['all', 'matching'])
      const { total } = await listed.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const page = listed.selectAll().orderBy('created', 'desc').orderBy('id').limit(limit).offset(offset)
      return { rows: await page.execute(), total }
    },

    async prune(before) {
      await db.deleteFrom('pwa_sendings').where('created', '<', before).execute()
      await db
        .deleteFrom('pwa_deliveries')
        .where('sending_id', 'not in', db.selectFrom('pwa_sendings').select('id'))
        .execute()
    },
  }
}

/**
 * Splits the ids into chunks. Each is padded with its last id to a power of two, which limits the number of prepared
 * statements.
 */
function* inRows(ids: readonly number[]): Generator<number[]> {
  for (let at = 0; at < ids.length; at += ROWS) {
    const some = ids.slice(at, at + ROWS)
    const last = some.at(-1)
    const more = 2 ** Math.ceil(Math.log2(some.length)) - some.length
    yield last === undefined ? some : [...some, ...Array.from({ length: more }, () => last)]
  }
}
