import type { ExtensionHost } from 'pentad'
import type { FormatPrice } from '../money.ts'
import { itemsOf, type OrderRecords } from './order-records.ts'

/** Exports orders of a person, and erases the person from them. */
export function registerPersonalData(
  { __, hooks }: Pick<ExtensionHost, '__' | 'hooks'>,
  { records, formatPrice }: { records: OrderRecords; formatPrice: FormatPrice },
): void {
  hooks.addFilter('wp_privacy_personal_data_exporters', async (groups, email) => {
    const orders = await records.of(email)
    if (orders.length === 0) return groups
    const items = orders.map(({ number, placed, details, customer }) => ({
      id: `order-${number}`,
      data: [
        { name: __('Order', 'store'), value: number },
        { name: __('Date (UTC)', 'store'), value: placed },
        { name: __('Name', 'store'), value: customer?.name ?? '' },
        { name: __('Email', 'store'), value: customer?.email ?? '' },
        { name: __('Address and notes', 'store'), value: customer?.message ?? '' },
        { name: __('Items', 'store'), value: itemsOf({ details }) },
        { name: __('Total', 'store'), value: details ? formatPrice(details.total, details.currency) : '' },
      ],
    }))
    return [...groups, { id: 'orders', label: __('Orders', 'store'), items }]
  })
  hooks.addFilter('wp_privacy_personal_data_erasers', async (report, email) => ({
    ...report,
    removed: report.removed + (await records.eraseCustomer(email)),
  }))
  // In the language of the site, also for an administrator with another one.
  const policy = {
    title: __('Orders', 'store'),
    paragraphs: [
      __(
        'When you order, we store your name, email address, delivery address, and what you ordered, to process the order.',
        'store',
      ),
    ],
  }
  hooks.addFilter('wp_add_privacy_policy_content', (sections) => [...sections, policy])
}
