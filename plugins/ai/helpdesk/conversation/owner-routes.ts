import { type ExtensionHost, paginated, paginatedSchema, paginationSchema, success, successSchema } from 'pentad'
import { z } from 'zod'
import { type Conversations, conversationShape } from './turns.ts'

/** `ai/v1/helpdesk-agent/conversations`: questions of visitors of the last day, for the site owner. */
export function registerOwnerRoutes(
  rest: ExtensionHost['rest'],
  conversations: Pick<Conversations, 'list' | 'remove'>,
): void {
  rest.registerRoute('ai/v1', {
    method: 'GET',
    path: '/helpdesk-agent/conversations',
    response: paginatedSchema(conversationShape),
    access: 'manage_options',
    summary: "Lists visitors' conversations from the last 24 hours, newest first.",
    input: paginationSchema,
    async handler({ input }) {
      const { items, total } = await conversations.list(input.perPage, (input.page - 1) * input.perPage)
      return paginated(items, total, input)
    },
  })

  rest.registerRoute('ai/v1', {
    method: 'DELETE',
    path: '/helpdesk-agent/conversations/{id}',
    response: successSchema(z.object({ id: z.int() })),
    access: 'manage_options',
    summary: "Deletes a visitor's conversation.",
    input: z.object({ id: z.int().min(1).max(2_147_483_647).describe('ID of the conversation.') }),
    async handler({ input }) {
      await conversations.remove(input.id)
      return success({ id: input.id })
    },
  })
}
