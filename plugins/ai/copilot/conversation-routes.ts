import {
  type ExtensionHost,
  fromGmt,
  paginated,
  paginatedSchema,
  paginationSchema,
  success,
  successSchema,
} from 'pentad'
import { z } from 'zod'
import { namesOf } from '../user-names.ts'
import { AUDIT_EVENTS } from './audit-events.ts'
import type { AuditLog } from './audit-log.ts'
import type { Conversations } from './conversations.ts'
import { rowId, signedIn } from './request.ts'
import { auditShape, conversationShape, messagesResponse } from './response-schemas.ts'

const NAMESPACE = 'ai/v1'

/** `ai/v1/conversations` and `/audit-log`: previous conversations and actions. */
export function registerConversationRoutes(
  { auth, rest }: ExtensionHost,
  { conversations, audit }: { conversations: Conversations; audit: AuditLog },
): void {
  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/conversations',
    access: 'manage_options',
    response: paginatedSchema(conversationShape),
    summary: "Lists the current user's conversations with the copilot, newest first.",
    input: paginationSchema,
    async handler({ input, user }) {
      const { page, perPage } = input
      const { items, total } = await conversations.list(signedIn(user).id, perPage, (page - 1) * perPage)
      return paginated(items, total, input)
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/conversations/{id}',
    access: 'manage_options',
    response: messagesResponse,
    summary: 'Lists the messages of a conversation, oldest first.',
    input: z.object({ id: rowId.describe('ID of the conversation.') }),
    async handler({ input, user }) {
      const { messages, ...conversation } = await conversations.get(input.id, signedIn(user).id)
      const said = messages.map(({ id, role, text, steps, created_gmt }) => ({
        ...{ id, role, text, steps: JSON.parse(steps) },
        createdAt: fromGmt(created_gmt),
      }))
      return success({ ...conversation, messages: said })
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'DELETE',
    path: '/conversations/{id}',
    access: 'manage_options',
    response: successSchema(z.object({ id: z.int() })),
    summary: 'Deletes a conversation and its pending changes.',
    input: z.object({ id: rowId.describe('ID of the conversation.') }),
    async handler({ input, user }) {
      await conversations.remove(input.id, signedIn(user).id)
      return success({ id: input.id })
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/audit-log',
    access: 'manage_options',
    response: paginatedSchema(auditShape),
    summary: 'Lists the copilot’s audit log entries, newest first.',
    input: z.object({
      ...paginationSchema.shape,
      event: z.enum(AUDIT_EVENTS).optional().describe('Limits the list to events of this type.'),
    }),
    async handler({ input }) {
      const { page, perPage, event } = input
      const { items, total } = await audit.list({ event, limit: perPage, offset: (page - 1) * perPage })
      const names = await namesOf({ auth }, items)
      const named = items.map((item) => ({ ...item, userName: names.get(item.userId) ?? null }))
      return paginated(named, total, input)
    },
  })
}
