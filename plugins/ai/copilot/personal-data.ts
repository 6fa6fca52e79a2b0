import { type ExtensionHost, fromGmt } from 'pentad'
import type { Conversations } from './conversations.ts'

/** Exports and erases the conversations of an account with the copilot. */
export function registerPersonalData(
  { hooks }: Pick<ExtensionHost, 'hooks'>,
  conversations: Pick<Conversations, 'messagesOf' | 'removeOf'>,
): void {
  hooks.addFilter('wp_privacy_personal_data_exporters', async (groups, _email, userId) => {
    const messages = userId === null ? [] : await conversations.messagesOf(userId)
    if (messages.length === 0) return groups
    const items = messages.map(({ id, role, text, created_gmt }) => ({
      id: `message-${id}`,
      data: [
        { name: 'Date (UTC)', value: fromGmt(created_gmt) },
        { name: 'From', value: role === 'user' ? 'You' : 'Copilot' },
        { name: 'Message', value: text },
      ],
    }))
    return [...groups, { id: 'copilot', label: 'Copilot conversations', items }]
  })

  hooks.addFilter('wp_privacy_personal_data_erasers', async (report, _email, userId) => {
    if (userId === null) return report
    const messages = await conversations.messagesOf(userId)
    await conversations.removeOf(userId)
    return { ...report, removed: report.removed + messages.length }
  })
}
