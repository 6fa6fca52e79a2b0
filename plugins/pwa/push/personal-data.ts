import { type ExtensionHost, fromGmt } from 'pentad'
import type { SubscriptionRows } from './subscriptions.ts'

/** Exports and erases the push subscriptions of an account, and describes them in the privacy policy. */
export function registerPersonalData(
  { hooks }: Pick<ExtensionHost, 'hooks'>,
  subscriptions: Pick<SubscriptionRows, 'ofUser' | 'removeById'>,
): void {
  hooks.addFilter('wp_privacy_personal_data_exporters', async (groups, _email, userId) => {
    const rows = userId === null ? [] : await subscriptions.ofUser(userId)
    if (rows.length === 0) return groups
    const items = rows.map(({ id, browser, operating_system, device, country, created_gmt }) => ({
      id: `subscription-${id}`,
      data: [
        { name: 'Browser', value: browser },
        { name: 'Operating system', value: operating_system },
        { name: 'Device', value: device },
        { name: 'Country', value: country },
        { name: 'Subscribed', value: fromGmt(created_gmt) },
      ],
    }))
    return [...groups, { id: 'push', label: 'Push notifications', items }]
  })

  hooks.addFilter('wp_privacy_personal_data_erasers', async (report, _email, userId) => {
    const rows = userId === null ? [] : await subscriptions.ofUser(userId)
    for (const { id } of rows) await subscriptions.removeById(id)
    return { ...report, removed: report.removed + rows.length }
  })

  hooks.addFilter('wp_add_privacy_policy_content', (sections) => [
    ...sections,
    {
      title: 'Push notifications',
      paragraphs: [
        'If you turn on notifications, we store your browser’s push subscription, the type of browser and device, and your country, until you turn them off.',
      ],
    },
  ])
}
