/** The view of one order in the admin. */
export const orderDetails = {
  title: 'Order {number}',
  route: 'store/v1/orders/{id}',
  parts: [
    {
      type: 'fields',
      fields: [
        { key: 'stateLabel', label: 'Status' },
        { key: 'placed', label: 'Date', format: 'date' },
        { key: 'total', label: 'Total' },
        { key: 'customer', label: 'Customer' },
        { key: 'email', label: 'Email' },
        { key: 'message', label: 'Address and notes' },
        { key: 'payment', label: 'Payment' },
        { key: 'emailStatus', label: 'Order email' },
      ],
    },
    {
      type: 'rows',
      title: 'Items',
      key: 'lines',
      empty: 'The items of this order are not stored.',
      columns: [
        { key: 'name', label: 'Product' },
        { key: 'sku', label: 'SKU' },
        { key: 'quantity', label: 'Quantity', format: 'number' },
        { key: 'price', label: 'Price', format: 'number' },
        { key: 'total', label: 'Total', format: 'number' },
      ],
    },
    {
      type: 'form',
      title: 'Add note',
      text: 'Only administrators see notes.',
      fields: [{ key: 'note', label: 'Note', multiline: true, required: true }],
      button: { label: 'Add note', method: 'PUT', route: 'store/v1/orders/{id}', done: 'Note added.' },
    },
    {
      type: 'form',
      title: 'Refund',
      text: 'Refund the payment the way you received it, for example through your bank or payment provider. Then mark the order as refunded.',
      fields: [{ key: 'note', label: 'Refund note', multiline: true }],
      button: {
        label: 'Mark as refunded',
        method: 'PUT',
        route: 'store/v1/orders/{id}',
        done: 'Order updated.',
        body: { state: 'refunded' },
      },
    },
    {
      type: 'rows',
      title: 'Log',
      key: 'events',
      columns: [
        { key: 'label', label: 'Event' },
        { key: 'happened', label: 'Date', format: 'date' },
        { key: 'author', label: 'By' },
        { key: 'note', label: 'Note' },
      ],
    },
  ],
} as const
