import { toGmt } from 'pentad'
import { titleOf } from './conversations.ts'
import type { ChangeRow, CopilotDatabase } from './tables.ts'
import type { Proposal, Step } from './tools.ts'

export interface FinishedTurn {
  readonly userId: number
  /** `undefined` starts a conversation. */
  readonly conversationId: number | undefined
  readonly message: string
  readonly reply: string
  readonly proposals: readonly Proposal[]
  readonly steps: readonly Step[]
}

/** Saves a turn in one transaction: messages and proposed changes. A failed turn saves nothing. */
export async function saveTurn(
  db: CopilotDatabase,
  turn: FinishedTurn,
): Promise<{ conversationId: number; changes: ChangeRow[] }> {
  const { userId, conversationId, message, reply, proposals, steps } = turn
  const now = toGmt(Date.now())
  // The input of tools can be long, and is not needed again.
  const taken = JSON.stringify(steps.map(({ tool, summary }) => ({ tool, summary }))).replaceAll('\\u0000', '')

  return db.transaction().execute(async (trx) => {
    const begin = { user_id: userId, title: titleOf(message), updated_gmt: now }
    const goOn = trx.updateTable('ai_conversations').set({ updated_gmt: now }).returning('id')
    const known = conversationId && (await goOn.where('id', '=', conversationId).executeTakeFirst())
    // A conversation that was deleted in the meantime is created again.
    const { id } =
      known || (await trx.insertInto('ai_conversations').values(begin).returning('id').executeTakeFirstOrThrow())
    const said = { conversation_id: id, created_gmt: now }
    await trx
      .insertInto('ai_messages')
      .values({ ...said, role: 'user', text: message, steps: '[]' })
      .execute()
    const { id: messageId } = await trx
      .insertInto('ai_messages')
      .values({ ...said, role: 'assistant', text: reply, steps: taken })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (proposals.length === 0) return { conversationId: id, changes: [] }
    const rows = proposals.map(({ ability, input, target, summary, before, after }) => ({
      conversation_id: id,
      message_id: messageId,
      user_id: userId,
      ability,
      input: JSON.stringify(input ?? null),
      target: JSON.stringify(target),
      summary: summary.replaceAll('\0', ''),
      before: JSON.stringify(before),
      after: JSON.stringify(after),
      status: 'proposed' as const,
      created_gmt: now,
      settled_gmt: now,
    }))
    const changes = await trx.insertInto('ai_changes').values(rows).returningAll().execute()
    return { conversationId: id, changes: changes.sort((a, b) => a.id - b.id) }
  })
}
