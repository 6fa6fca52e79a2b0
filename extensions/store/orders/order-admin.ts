import { type ExtensionHost, paginated, paginatedSchema, paginationSchema, success, successSchema } from 'pentad'
import { z } from 'zod'
import type { FormatPrice } from '../money.ts'
import { ORDER_STATES, type OrderState } from '../types.ts'
import type { OrderMails } from './order-mails.ts'
import { itemsOf, type OrderRecord, type OrderRecords } from './order-records.ts'

const LABELS: Readonly<Record<OrderState, string>> = {
  ...{ open: 'Open', completed: 'Completed', canceled: 'Canceled', refunded: 'Refunded' },
}
const orderShape = z.object({
  id: z.int(),
  number: z.string().describe('Order number.'),
  placed: z.string(),
  state: z.enum(ORDER_STATES),
  stateLabel: z.string(),
  customer: z.string().describe('Name; empty if it is not stored.'),
  email: z.string(),
  contact: z.string().describe('Name and email address.'),
  message: z.string().describe('Delivery address and notes.'),
  items: z.string(),
  total: z.string().describe('Formatted price, such as `€12.90`.'),
})
const idInput = z.object({ id: z.int().min(1).max(2_147_483_647) })

/** The screen of orders in the admin, with its routes: `store/v1/orders`. */
export function registerOrderAdmin(
  { admin, rest }: Pick<ExtensionHost, 'admin' | 'rest'>,
  { records, mails, formatPrice }: { records: OrderRecords; mails: OrderMails; formatPrice: FormatPrice },
): void {
  const show = ({ id, number, placed, state, details, customer }: OrderRecord) => ({
    ...{ id, number, placed, state, stateLabel: LABELS[state] },
    ...{ customer: customer?.name ?? '', email: customer?.email ?? '', message: customer?.message ?? '' },
    contact: customer ? `${customer.name} (${customer.email})` : '',
    items: itemsOf({ details }),
    total: details ? formatPrice(details.total, details.currency) : '',
  })

  rest.registerRoute('store/v1', {
    method: 'GET',
    path: '/orders',
    access: 'manage_options',
    summary: 'Lists orders, newest first.',
    input: paginationSchema.extend({ search: z.string().max(200).default('') }),
    response: paginatedSchema(orderShape),
    async handler({ input }) {
      const { page, perPage, search } = input
      const { items, total } = await records.query({ search, limit: perPage, offset: (page - 1) * perPage })
      return paginated(items.map(show), total, input)
    },
  })
  rest.registerRoute('store/v1', {
    method: 'PUT',
    path: '/orders/{id}',
    access: 'manage_options',
    summary: 'Changes the status of an order. Stock and payments do not change.',
    input: idInput.extend({ state: z.enum(ORDER_STATES) }),
    response: successSchema(orderShape),
    handler: async ({ input: { id, state } }) => success(show(await records.setState(id, state))),
  })
  rest.registerRoute('store/v1', {
    method: 'POST',
    path: '/orders/{id}/resend',
    access: 'manage_options',
    summary: 'Emails an order to the site owner again.',
    input: idInput,
    response: successSchema(z.null()),
    async handler({ input: { id } }) {
      await records.resend(id)
      mails.send()
      return success(null)
    },
  })

  const set = (label: string, state: OrderState, confirm?: string) => ({
    label,
    method: 'PUT' as const,
    route: 'store/v1/orders/{id}',
    body: { state },
    confirm,
    done: 'Order updated.',
  })
  admin.addPage({
    slug: 'orders',
    title: 'Orders',
    icon: 'cart',
    parts: [
      {
        type: 'table',
        title: 'Orders',
        route: 'store/v1/orders',
        search: true,
        empty: 'Orders that customers place on the cart page appear here.',
        columns: [
          { key: 'number', label: 'Order' },
          { key: 'placed', label: 'Date', format: 'date' },
          { key: 'stateLabel', label: 'Status' },
          { key: 'contact', label: 'Customer' },
          { key: 'message', label: 'Address and notes' },
          { key: 'items', label: 'Items' },
          { key: 'total', label: 'Total' },
        ],
        actions: [
          set('Complete', 'completed'),
          set('Reopen', 'open'),
          set('Cancel order', 'canceled', 'Cancel order {number}? Its items are not restocked.'),
          set('Mark as refunded', 'refunded', 'Mark order {number} as refunded? You must refund the payment yourself.'),
          { label: 'Send email again', route: 'store/v1/orders/{id}/resend', done: 'The email will be sent.' },
        ],
      },
    ],
  })
}
