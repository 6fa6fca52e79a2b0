import { type ExtensionHost, fromGmt } from 'pentad'
import type { SubscriptionRows } from './subscriptions.ts'

/** Exports and erases the push subscriptions of an account, and describes them in the privacy policy. */
export function registerPersonalData(
  { auth, hooks, textsFor }: Pick<ExtensionHost, 'auth' | 'hooks' | 'textsFor'>,
  subscriptions: Pick<SubscriptionRows, 'ofUser' | 'removeById'>,
): void {
  hooks.addFilter('wp_privacy_personal_data_exporters', async (groups, email, userId) => {
    const rows = userId === null ? [] : await subscriptions.ofUser(userId)
    if (rows.length === 0) return groups
    const { __ } = await textsFor(await auth.users.getByEmail(email))
    const items = rows.map(({ id, browser, operating_system, device, country, created_gmt }) => ({
      id: `subscription-${id}`,
      data: [
        { name: __('Browser'), value: browser },
        { name: __('Operating system'), value: operating_system },
        { name: __('Device'), value: device },
        { name: __('Country'), value: country },
        { name: __('Subscribed'), value: fromGmt(created_gmt) },
      ],
    }))
    return [...groups, { id: 'push', label: __('Push notifications'), items }]
  })

  hooks.addFilter('wp_privacy_personal_data_erasers', async (report, _email, userId) => {
    const rows = userId === null ? [] : await subscriptions.ofUser(userId)
    for (const { id } of rows) await subscriptions.removeById(id)
    return { ...report, removed: report.removed + rows.length }
  })

  hooks.addFilter('wp_add_privacy_policy_content', async (sections) => {
    const { __ } = await textsFor()
    return [
      ...sections,
      {
        title: __('Push notifications'),
        paragraphs: [
          __(
            'If you turn on notifications, we store your browser’s push subscription, the type of browser and device, and your country, until you turn them off.',
          ),
        ],
      },
    ]
  })
}
