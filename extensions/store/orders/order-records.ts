import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { fromGmt, RestError } from 'pentad'
import { z } from 'zod'
import type { StoreDatabase } from '../tables.ts'
import type { Customer, Order, OrderState } from '../types.ts'

const COLUMNS = ['id', 'placed_gmt', 'state', 'details', 'name', 'email', 'message'] as const

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
}

/** `2 × Mug, 1 × Pen`. */
export const itemsOf = ({ details }: Pick<OrderRecord, 'details'>): string =>
  (details?.lines ?? []).map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')

/** Placed orders, which the owner processes. */
export interface OrderRecords {
  /** Newest first. @param search part of the number, or of the customer's name or email address */
  query(range: { search: string; limit: number; offset: number }): Promise<{ items: OrderRecord[]; total: number }>
  /** @throws RestError 404 `store_order_not_found` */
  setState(id: number, state: OrderState): Promise<OrderRecord>
  /** Emails the order to the owner again. @throws RestError 404 `store_order_not_found`, 409 `store_order_erased` */
  resend(id: number): Promise<void>
  /** The orders of an email address. */
  of(email: string): Promise<OrderRecord[]>
  /** Deletes the customer's name, address, and notes from their orders. @returns the number of orders */
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
  })
  const get = async (id: number) => {
    const row = await all().where('id', '=', id).executeTakeFirst()
    if (!row) throw new RestError('store_order_not_found', 'The order does not exist.', { status: 404 })
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
    async setState(id, state) {
      await db.updateTable('store_orders').set({ state }).where('id', '=', id).execute()
      return get(id)
    },
    async resend(id) {
      const { details, customer } = await get(id)
      if (!details || !customer) {
        const message = 'The email cannot be sent again, because the customer’s data is no longer stored.'
        throw new RestError('store_order_erased', message, { status: 409 })
      }
      // Differs from an earlier request, whose email may be on its way.
      const unsent = JSON.stringify({ ...details, customer, requested: randomUUID() })
      await db.updateTable('store_orders').set({ unsent }).where('id', '=', id).execute()
    },
    of: async (email) => (await all().where(isOf(email)).orderBy('id').execute()).map(toRecord),
    async eraseCustomer(email) {
      const erased = await db
        .updateTable('store_orders')
        .set({ name: null, email: null, message: null, unsent: null })
        .where(isOf(email))
        .returning('id')
        .execute()
      return erased.length
    },
  }
}
