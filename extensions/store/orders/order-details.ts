import type { ExtensionHost } from 'pentad'

/** The view of one order in the admin. */
export const orderDetails = ({ __ }: Pick<ExtensionHost, '__'>) =>
  ({
    title: __('Order {number}', 'store'),
    route: 'store/v1/orders/{id}',
    parts: [
      {
        type: 'fields',
        fields: [
          { key: 'stateLabel', label: __('Status', 'store') },
          { key: 'placed', label: __('Date', 'store'), format: 'date' },
          { key: 'total', label: __('Total', 'store') },
          { key: 'customer', label: __('Customer', 'store') },
          { key: 'email', label: __('Email', 'store') },
          { key: 'message', label: __('Address and notes', 'store') },
          { key: 'payment', label: __('Payment', 'store') },
          { key: 'emailStatus', label: __('Order email', 'store') },
        ],
      },
      {
        type: 'rows',
        title: __('Items', 'store'),
        key: 'lines',
        empty: __('The items of this order are not stored.', 'store'),
        columns: [
          { key: 'name', label: __('Product', 'store') },
          { key: 'sku', label: __('SKU', 'store') },
          { key: 'quantity', label: __('Quantity', 'store'), format: 'number' },
          { key: 'price', label: __('Price', 'store'), format: 'number' },
          { key: 'total', label: __('Total', 'store'), format: 'number' },
        ],
      },
      {
        type: 'form',
        title: __('Add note', 'store'),
        text: __('Only administrators see notes.', 'store'),
        fields: [{ key: 'note', label: __('Note', 'store'), multiline: true, required: true }],
        button: {
          label: __('Add note', 'store'),
          method: 'PUT',
          route: 'store/v1/orders/{id}',
          done: __('Note added.', 'store'),
        },
      },
      {
        type: 'form',
        title: __('Refund', 'store'),
        text: __(
          'Refund the payment the way you received it, for example through your bank or payment provider. Then mark the order as refunded.',
          'store',
        ),
        fields: [{ key: 'note', label: __('Refund note', 'store'), multiline: true }],
        button: {
          label: __('Mark as refunded', 'store'),
          when: { key: 'state', is: ['open', 'completed', 'canceled'] },
          method: 'PUT',
          route: 'store/v1/orders/{id}',
          done: __('Order updated.', 'store'),
          body: { state: 'refunded' },
        },
      },
      {
        type: 'rows',
        title: __('Log', 'store'),
        key: 'events',
        columns: [
          { key: 'label', label: __('Event', 'store') },
          { key: 'happened', label: __('Date', 'store'), format: 'date' },
          { key: 'author', label: __('By', 'store') },
          { key: 'note', label: __('Note', 'store') },
        ],
      },
    ],
  }) as const
