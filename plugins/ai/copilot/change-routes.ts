import {
  type ExtensionHost,
  paginated,
  paginatedSchema,
  paginationSchema,
  RestError,
  success,
  successSchema,
} from 'pentad'
import { z } from 'zod'
import { applyChange } from './apply.ts'
import type { AuditEntry, AuditLog } from './audit-log.ts'
import { type Changes, toChange } from './changes.ts'
import { rowId, signedIn } from './request.ts'
import { appliedResponse, changeShape } from './response-schemas.ts'
import type { ChangeRow } from './tables.ts'

const NAMESPACE = 'ai/v1'

/** `ai/v1/changes`: changes proposed by the copilot, for the user who asked for them. */
export function registerChangeRoutes(host: ExtensionHost, parts: { changes: Changes; audit: AuditLog }): void {
  const { changes, audit } = parts
  const { rest, abilities } = host

  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/changes',
    access: 'manage_options',
    response: paginatedSchema(changeShape),
    summary: 'Lists the changes that the copilot proposed to the current user, newest first.',
    input: z.object({
      ...paginationSchema.shape,
      status: z
        .enum(['proposed', 'applying', 'applied', 'discarded'])
        .optional()
        .describe('Limits the list to changes with this status.'),
      conversationId: rowId.optional().describe('Limits the list to changes from this conversation.'),
    }),
    async handler({ input, user }) {
      const { page, perPage, status, conversationId } = input
      const own = { userId: signedIn(user).id, status, conversationId }
      const { rows, total } = await changes.list({ ...own, limit: perPage, offset: (page - 1) * perPage })
      return paginated(rows.map(toChange), total, input)
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'POST',
    path: '/changes/{id}/apply',
    access: 'manage_options',
    response: appliedResponse,
    summary: 'Applies a proposed change, unless the content has changed since it was proposed.',
    input: z.object({ id: rowId.describe('ID of the change.') }),
    async handler({ input, user: caller }) {
      const user = signedIn(caller)
      const row = await changes.get(input.id, user.id)
      const { row: applied, result } = await applyChange({ abilities, changes }, row, user).catch(async (error) => {
        await audit.add([entryOf(row, 'apply', error instanceof RestError ? error.code : 'internal_error')])
        throw error
      })
      await audit.add([entryOf(row, 'apply', 'ok')])
      return success({ ...toChange(applied), result })
    },
  })

  rest.registerRoute(NAMESPACE, {
    method: 'POST',
    path: '/changes/{id}/discard',
    access: 'manage_options',
    response: successSchema(changeShape),
    summary: 'Discards a proposed change.',
    input: z.object({ id: rowId.describe('ID of the change.') }),
    async handler({ input, user }) {
      const row = await changes.get(input.id, signedIn(user).id)
      const discarded = await changes.discard(row)
      await audit.add([entryOf(row, 'discard', 'ok')])
      return success(toChange(discarded))
    },
  })
}

function entryOf(row: ChangeRow, event: 'apply' | 'discard', outcome: string): AuditEntry {
  const { id, user_id, conversation_id, ability, summary } = row
  return { userId: user_id, conversationId: conversation_id, changeId: id, event, ability, summary, outcome }
}
