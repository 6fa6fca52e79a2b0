import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { fromGmt, RestError, toGmt } from 'pentad'
import { z } from 'zod'
import type { StoreDatabase } from '../tables.ts'
import type { Customer, Order, OrderEventKind, OrderState } from '../types.ts'

const COLUMNS = ['id', 'placed_gmt', 'unsent', 'state', 'details', 'name', 'email', 'message'] as const

/** Events of an order that are shown: the newest ones. */
const MOST_EVENTS = 200

const detailsSchema = z.object({
  lines: z.array(z.object({ itemId: z.int(), name: z.string(), sku: z.string(), quantity: z.int(), price: z.int() })),
  total: z.int(),
  currency: z.string(),
})

/** An order as the owner sees it. */
export interface OrderRecord extends Pick<Order, 'number' | 'placed'> {
  readonly id: number
  readonly state: OrderState
  /** `undefined` for orders of earlier versions, which did not keep them. */
  readonly details: Pick<Order, 'lines' | 'total' | 'currency'> | undefined
  /** `undefined` also if the customer's data was erased. */
  readonly customer: Customer | undefined
  /** Whether its email to the owner is still to be sent. */
  readonly isEmailPending: boolean
}

/** An entry in the log of an order. */
export interface OrderEvent {
  /** ISO 8601, UTC. */
  readonly happened: string
  readonly kind: OrderEventKind
  /** Plain text; empty if there is none. */
  readonly note: string
  /** Name of the user; empty for what the site did. */
  readonly author: string
}

/** `2 × Mug, 1 × Pen`. */
export const itemsOf = ({ details }: Pick<OrderRecord, 'details'>): string =>
  (details?.lines ?? []).map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')

/** Placed orders, which the owner processes. */
export interface OrderRecords {
  /** Newest first. @param search part of the number, or of the customer's name or email address */
  query(range: { search: string; limit: number; offset: number }): Promise<{ items: OrderRecord[]; total: number }>
  /** @throws RestError 404 `store_order_not_found` */
  get(id: number): Promise<OrderRecord>
  /** The log of an order, newest first. */
  events(id: number): Promise<OrderEvent[]>
  /** Adds an entry to the log: a note, a new status, or both. @throws RestError 404 `store_order_not_found` */
  update(id: number, entry: { state?: OrderState | undefined; note: string; author: string }): Promise<OrderRecord>
  /** Emails the order to the owner again. @throws RestError 404 `store_order_not_found`, 409 `store_order_erased` */
  resend(id: number): Promise<void>
  /** The orders of an email address. */
  of(email: string): Promise<OrderRecord[]>
  /** Deletes the customer's name, address, and all notes from their orders. @returns the number of orders */
  eraseCustomer(email: string): Promise<number>
}

export function createOrderRecords(db: StoreDatabase): OrderRecords {
  const all = () => db.selectFrom('store_orders').select(COLUMNS)
  type Row = Awaited<ReturnType<ReturnType<typeof all>['execute']>>[number]

  const toRecord = (row: Row): OrderRecord => ({
    ...{ id: row.id, number: String(row.id), placed: fromGmt(row.placed_gmt), state: row.state },
    details: row.details === null ? undefined : detailsSchema.parse(JSON.parse(row.details)),
    customer:
      row.name === null || row.email === null || row.message === null
        ? undefined
        : { name: row.name, email: row.email, message: row.message },
    isEmailPending: row.unsent !== null,
  })
  const get = async (id: number) => {
    const row = await all().where('id', '=', id).executeTakeFirst()
    if (!row) throw notFound()
    return toRecord(row)
  }
  const isOf = (email: string) => sql<boolean>`lower(email) = ${email.toLowerCase()}`

  return {
    async query({ search, limit, offset }) {
      const pattern = `%${search
        .trim()
        .toLowerCase()
        .replaceAll(/[\\%_]/g, '\\$&')}%`
      const isFound = sql<boolean>`(cast(id as text) like ${pattern} escape '\\' or lower(name) like ${pattern} escape '\\'
        or lower(email) like ${pattern} escape '\\')`
      const found = db.selectFrom('store_orders').$if(search.trim() !== '', (query) => query.where(isFound))
      const items = await found.select(COLUMNS).orderBy('id', 'desc').limit(limit).offset(offset).execute()
      const { total } = await found.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow()
      return { items: items.map(toRecord), total: Number(total) }
    },
    get,
    async events(id) {
      const rows = db.selectFrom('store_order_events').selectAll().where('order_id', '=', id)
      return (await rows.orderBy('id', 'desc').limit(MOST_EVENTS).execute()).map((row) => ({
        ...{ happened: fromGmt(row.happened_gmt), kind: row.kind },
        ...{ note: row.note ?? '', author: row.author ?? '' },
      }))
    },
    async update(id, { state, note, author }) {
      await db.transaction().execute(async (transaction) => {
        // Locks the order on PostgreSQL, so that two changes are logged in their order.
        const { state: before } = await transaction
          .updateTable('store_orders')
          .set((row) => ({ state: row.ref('state') }))
          .where('id', '=', id)
          .returning('state')
          .executeTakeFirstOrThrow(notFound)
        const isChanged = state !== undefined && state !== before
        if (isChanged) await transaction.updateTable('store_orders').set({ state }).where('id', '=', id).execute()
        if (isChanged || note !== '')
          await logEvent(transaction, id, { kind: isChanged ? state : 'note', note: note || null, author })
      })
      return get(id)
    },
    async resend(id) {
      const { details, customer } = await get(id)
      if (!details || !customer) throw erased()
      // Differs from an earlier request, whose email may be on its way.
      const unsent = JSON.stringify({ ...details, customer, requested: randomUUID() })
      const order = db.updateTable('store_orders').set({ unsent }).where('id', '=', id)
      // The data may have been erased meanwhile: it must not be stored again.
      await order.where('email', 'is not', null).returning('id').executeTakeFirstOrThrow(erased)
    },
    of: async (email) => (await all().where(isOf(email)).orderBy('id').execute()).map(toRecord),
    eraseCustomer: (email) =>
      db.transaction().execute(async (transaction) => {
        const erased = await transaction
          .updateTable('store_orders')
          .set({ name: null, email: null, message: null, unsent: null })
          .where(isOf(email))
          .returning('id')
          .execute()
        for (const { id } of erased)
          await transaction.updateTable('store_order_events').set({ note: null }).where('order_id', '=', id).execute()
        return erased.length
      }),
  }
}

function erased(): RestError {
  const message = 'The email cannot be sent again, because the customer’s data is no longer stored.'
  return new RestError('store_order_erased', message, { status: 409 })
}

const notFound = () => new RestError('store_order_not_found', 'The order does not exist.', { status: 404 })

/** Adds an entry to the log of an order. @param db a transaction, so that the log says what happened */
export async function logEvent(
  db: Pick<StoreDatabase, 'insertInto'>,
  orderId: number,
  entry: { kind: OrderEventKind; note: string | null; author: string | null },
): Promise<void> {
  await db
    .insertInto('store_order_events')
    .values({ order_id: orderId, happened_gmt: toGmt(Date.now()), ...entry })
    .execute()
}
