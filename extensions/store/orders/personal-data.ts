import type { ExtensionHost } from 'pentad'
import type { FormatPrice } from '../money.ts'
import { itemsOf, type OrderRecords } from './order-records.ts'

/** Exports orders of a person, and erases the person from them. */
export function registerPersonalData(
  { hooks }: Pick<ExtensionHost, 'hooks'>,
  { records, formatPrice }: { records: OrderRecords; formatPrice: FormatPrice },
): void {
  hooks.addFilter('wp_privacy_personal_data_exporters', async (groups, email) => {
    const orders = await records.of(email)
    if (orders.length === 0) return groups
    const items = orders.map(({ number, placed, details, customer }) => ({
      id: `order-${number}`,
      data: [
        { name: 'Order', value: number },
        { name: 'Date (UTC)', value: placed },
        { name: 'Name', value: customer?.name ?? '' },
        { name: 'Email', value: customer?.email ?? '' },
        { name: 'Address and notes', value: customer?.message ?? '' },
        { name: 'Items', value: itemsOf({ details }) },
        { name: 'Total', value: details ? formatPrice(details.total, details.currency) : '' },
      ],
    }))
    return [...groups, { id: 'orders', label: 'Orders', items }]
  })
  hooks.addFilter('wp_privacy_personal_data_erasers', async (report, email) => ({
    ...report,
    removed: report.removed + (await records.eraseCustomer(email)),
  }))
  hooks.addFilter('wp_add_privacy_policy_content', (sections) => [
    ...sections,
    {
      title: 'Orders',
      paragraphs: [
        'When you order, we store your name, email address, delivery address, and what you ordered, to process the order.',
      ],
    },
  ])
}
