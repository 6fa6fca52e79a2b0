import { type ExtensionHost, fromGmt } from 'pentad'
import type { Conversations } from './conversations.ts'

/** Exports and erases the conversations of an account with the copilot. */
export function registerPersonalData(
  { auth, hooks, textsFor }: Pick<ExtensionHost, 'auth' | 'hooks' | 'textsFor'>,
  conversations: Pick<Conversations, 'messagesOf' | 'removeOf'>,
): void {
  hooks.addFilter('wp_privacy_personal_data_exporters', async (groups, email, userId) => {
    const messages = userId === null ? [] : await conversations.messagesOf(userId)
    if (messages.length === 0) return groups
    const { __ } = await textsFor(await auth.users.getByEmail(email))
    const items = messages.map(({ id, role, text, created_gmt }) => ({
      id: `message-${id}`,
      data: [
        { name: __('Date (UTC)'), value: fromGmt(created_gmt) },
        { name: __('From'), value: role === 'user' ? __('You') : __('Copilot') },
        { name: __('Message'), value: text },
      ],
    }))
    return [...groups, { id: 'copilot', label: __('Copilot conversations'), items }]
  })

  hooks.addFilter('wp_privacy_personal_data_erasers', async (report, _email, userId) => {
    if (userId === null) return report
    const messages = await conversations.messagesOf(userId)
    await conversations.removeOf(userId)
    return { ...report, removed: report.removed + messages.length }
  })
}
