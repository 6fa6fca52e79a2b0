import { type ExtensionHost, lines, paginated, paginatedSchema, paginationSchema, success, successSchema } from 'pentad'
import { z } from 'zod'
import type { FormatPrice } from '../money.ts'
import { ORDER_STATES, type OrderEventKind, type OrderState } from '../types.ts'
import { orderDetails } from './order-details.ts'
import type { OrderMails } from './order-mails.ts'
import { itemsOf, type OrderEvent, type OrderRecord, type OrderRecords } from './order-records.ts'

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
const detailsShape = orderShape.extend({
  lines: z.array(
    z.object({ name: z.string(), sku: z.string(), quantity: z.int(), price: z.string(), total: z.string() }),
  ),
  payment: z.string(),
  emailStatus: z
    .string()
    .describe('Whether the order was emailed to the site owner; empty if the customer’s data was erased.'),
  events: z
    .array(z.object({ happened: z.string(), label: z.string(), note: z.string(), author: z.string() }))
    .describe('The log, newest first.'),
})

const note = lines(2000).default('').describe('An internal note for the log.')
const idInput = z.object({ id: z.int().min(1).max(2_147_483_647) })

/** The screen of orders in the admin, with its routes: `store/v1/orders`. */
export function registerOrderAdmin(
  { __, admin, rest }: Pick<ExtensionHost, '__' | 'admin' | 'rest'>,
  { records, mails, formatPrice }: { records: OrderRecords; mails: OrderMails; formatPrice: FormatPrice },
): void {
  const labelOf = (kind: OrderEventKind): string =>
    ({
      open: __('Open', 'store'),
      completed: __('Completed', 'store'),
      canceled: __('Canceled', 'store'),
      refunded: __('Refunded', 'store'),
      emailed: __('Order email sent', 'store'),
      note: __('Note', 'store'),
    })[kind]

  /** Erasing the customer's data also cancels a pending email, so the order does not say whether it was sent. */
  function emailStatusOf({ customer, isEmailPending }: OrderRecord): string {
    if (!customer) return ''
    return isEmailPending ? __('Waiting to be sent', 'store') : __('Sent', 'store')
  }

  const show = ({ id, number, placed, state, details, customer }: OrderRecord) => ({
    ...{ id, number, placed, state, stateLabel: labelOf(state) },
    ...{ customer: customer?.name ?? '', email: customer?.email ?? '', message: customer?.message ?? '' },
    contact: customer ? `${customer.name} (${customer.email})` : '',
    items: itemsOf({ details }),
    total: details ? formatPrice(details.total, details.currency) : '',
  })

  const showDetails = (record: OrderRecord, events: readonly OrderEvent[]) => {
    const { currency = '', lines: items = [] } = record.details ?? {}
    return {
      ...show(record),
      lines: items.map(({ name, sku, quantity, price }) => ({
        ...{ name, sku, quantity, price: formatPrice(price, currency), total: formatPrice(price * quantity, currency) },
      })),
      payment: __('Not processed by this site. Arrange payment with the customer.', 'store'),
      emailStatus: emailStatusOf(record),
      events: [
        ...events.map(({ kind, ...event }) => ({ ...event, label: labelOf(kind) })),
        { happened: record.placed, label: __('Placed', 'store'), note: '', author: '' },
      ],
    }
  }

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
    method: 'GET',
    path: '/orders/{id}',
    access: 'manage_options',
    summary: 'Returns an order with its items and its log.',
    input: idInput,
    response: successSchema(detailsShape),
    handler: async ({ input: { id } }) => success(showDetails(await records.get(id), await records.events(id))),
  })
  rest.registerRoute('store/v1', {
    method: 'PUT',
    path: '/orders/{id}',
    access: 'manage_options',
    summary: 'Changes the status of an order, and adds a note to its log. Stock and payments do not change.',
    input: idInput.extend({ state: z.enum(ORDER_STATES).optional(), note }),
    response: successSchema(orderShape),
    handler: async ({ user, input: { id, ...entry } }) =>
      success(show(await records.update(id, { ...entry, author: user?.displayName ?? '' }))),
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

  const set = (label: string, from: readonly OrderState[], state: OrderState, confirm?: string) => ({
    label,
    when: { key: 'state', is: from },
    method: 'PUT' as const,
    route: 'store/v1/orders/{id}',
    body: { state },
    confirm,
    done: __('Order updated.', 'store'),
  })
  admin.addPage({
    slug: 'orders',
    title: __('Orders', 'store'),
    icon: 'cart',
    parts: [
      {
        type: 'table',
        title: __('Orders', 'store'),
        route: 'store/v1/orders',
        search: true,
        empty: __('Orders that customers place on the cart page appear here.', 'store'),
        columns: [
          { key: 'number', label: __('Order', 'store') },
          { key: 'placed', label: __('Date', 'store'), format: 'date' },
          { key: 'stateLabel', label: __('Status', 'store') },
          { key: 'contact', label: __('Customer', 'store') },
          { key: 'message', label: __('Address and notes', 'store') },
          { key: 'items', label: __('Items', 'store') },
          { key: 'total', label: __('Total', 'store') },
        ],
        actions: [
          set(__('Complete', 'store'), ['open'], 'completed'),
          set(__('Reopen', 'store'), ['completed', 'canceled', 'refunded'], 'open'),
          set(
            __('Cancel order', 'store'),
            ['open'],
            'canceled',
            __('Cancel order {number}? Its items are not restocked.', 'store'),
          ),
          {
            label: __('Send email again', 'store'),
            route: 'store/v1/orders/{id}/resend',
            done: __('The email will be sent.', 'store'),
          },
        ],
        details: orderDetails({ __ }),
      },
    ],
  })
}
