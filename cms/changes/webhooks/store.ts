import { randomUUID } from 'node:crypto'
import type { Kysely, Selectable, Updateable } from 'kysely'
import { z } from 'zod'
import { fromGmt, toGmt } from '../../../core/database/gmt.ts'
import type { Schema } from '../../../core/database/index.ts'
import type { Vault } from '../../../core/options/types.ts'
import type { WebhookTable } from '../tables.ts'
import { deliveryShape } from './shapes.ts'
import type { Attempt, AttemptKind, KeyRing } from './types.ts'

/** Attempts that are stored per endpoint. */
const MOST_DELIVERIES = 1000

export type WebhookRow = Selectable<WebhookTable>

const keysSchema = z.object({ secret: z.string(), privateKey: z.string() })
const keyRingSchema = z.object({ current: keysSchema, previous: keysSchema.optional(), until: z.number().optional() })

/** The tables of endpoints and of attempts. */
export interface WebhookStore {
  list(): Promise<WebhookRow[]>
  get(id: string): Promise<WebhookRow | undefined>
  /** @param position ID of the change that the endpoint starts after */
  add(url: string, keys: KeyRing, position: string | null): Promise<WebhookRow>
  /** @param on a transaction, if it is to be part of one */
  update(id: string, changes: Updateable<WebhookTable>, on?: Kysely<Schema>): Promise<void>
  remove(id: string): Promise<void>
  /** @throws Error if the secret was encrypted with the key of another site */
  keysOf(row: WebhookRow): KeyRing
  setKeys(id: string, keys: KeyRing): Promise<void>
  addDelivery(id: string, eventId: string, kind: AttemptKind, attempt: Attempt): Promise<void>
  /** Newest first. */
  deliveries(
    id: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ items: z.output<typeof deliveryShape>[]; total: number }>
  eventOf(id: string, delivery: number): Promise<string | undefined>
  /** Removes old attempts. */
  prune(): Promise<void>
}

export function createWebhookStore(
  db: Kysely<Schema>,
  { vault, now }: { vault: Vault; now: () => number },
): WebhookStore {
  const sealed = (id: string, { current, previous, until }: KeyRing) =>
    JSON.stringify(
      vault.seal(
        { current: { ...current }, ...(previous && { previous: { ...previous }, until: until ?? 0 }) },
        place(id),
      ),
    )
  const get = (id: string) => db.selectFrom('change_webhooks').selectAll().where('id', '=', id).executeTakeFirst()
  const update: WebhookStore['update'] = async (id, changes, on = db) => {
    await on.updateTable('change_webhooks').set(changes).where('id', '=', id).execute()
  }
  const deliveriesOf = (id: string) => db.selectFrom('change_deliveries').where('webhook_id', '=', id)

  return {
    list: () => db.selectFrom('change_webhooks').selectAll().orderBy('created_gmt').orderBy('id').execute(),
    get,
    async add(url, keys, position) {
      const id = randomUUID()
      const state = { is_enabled: 1, disabled_reason: '', failures: 0, next_attempt_gmt: null }
      const row = { id, url, keys: sealed(id, keys), position, ...state, created_gmt: toGmt(now()) }
      return db.insertInto('change_webhooks').values(row).returningAll().executeTakeFirstOrThrow()
    },
    update,
    async remove(id) {
      await db.deleteFrom('change_webhooks').where('id', '=', id).execute()
    },
    keysOf: ({ id, keys }) => keyRingSchema.parse(vault.open(JSON.parse(keys), place(id))),
    setKeys: (id, keys) => update(id, { keys: sealed(id, keys) }),
    async addDelivery(id, eventId, kind, { status, error, durationMs }) {
      const row = { webhook_id: id, event_id: eventId, kind, status, error, duration_ms: durationMs }
      await db
        .insertInto('change_deliveries')
        .values({ ...row, time_gmt: toGmt(now()) })
        .execute()
    },
    async deliveries(id, { limit, offset }) {
      const rows = await deliveriesOf(id).selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
      const { total } = await deliveriesOf(id)
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      const items = rows.map(({ id, event_id, kind, status, error, time_gmt, duration_ms }) =>
        deliveryShape.parse({
          ...{ id, eventId: event_id, kind, status, error },
          ...{ time: fromGmt(time_gmt), durationMs: duration_ms },
        }),
      )
      return { items, total }
    },
    async eventOf(id, delivery) {
      const row = await deliveriesOf(id).select('event_id').where('id', '=', delivery).executeTakeFirst()
      return row?.event_id
    },
    async prune() {
      for (const { id } of await db.selectFrom('change_webhooks').select('id').execute()) {
        const last = await deliveriesOf(id)
          .select('id')
          .orderBy('id', 'desc')
          .offset(MOST_DELIVERIES)
          .limit(1)
          .executeTakeFirst()
        if (!last) continue
        await db.deleteFrom('change_deliveries').where('webhook_id', '=', id).where('id', '<=', last.id).execute()
      }
    },
  }
}

const place = (id: string) => `webhook ${id}`
