import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import { fromGmt, type ResponseOf, RestError, toGmt } from 'pentad'
import { z } from 'zod'
import type { ConversationDatabase, TurnTable } from './tables.ts'

/** Maximum number of previous turns sent to the model. */
const REMEMBERED = 4
/** Retention: messages of visitors are deleted after a day. */
const KEPT_MS = 86_400_000

/** A question with its answer. */
export interface Turn {
  readonly question: string
  readonly reply: string
}

export interface FinishedTurn extends Turn {
  /** Whether the question was answered. */
  readonly answered: boolean
}

/** A conversation for the site owner, without its secret ID. */
export const conversationShape = z.object({
  id: z.int().describe('ID of the first stored question.'),
  updatedAt: z.string(),
  answered: z.boolean().describe('Whether every question was answered.'),
  turns: z.array(z.object({ question: z.string(), reply: z.string(), answered: z.boolean(), createdAt: z.string() })),
})

type ConversationRow = ResponseOf<typeof conversationShape>

/** Conversations with visitors. Anyone with its ID can continue a conversation, for a day. */
export interface Conversations {
  newId(): string
  /** The latest turns, oldest first. @throws RestError 404 `conversation_not_found` */
  turns(id: string): Promise<Turn[]>
  add(id: string, turn: FinishedTurn): Promise<void>
  /** Conversations of the last day, newest first. */
  list(limit: number, offset: number): Promise<{ items: ConversationRow[]; total: number }>
  /** Deletes a conversation by its row ID. @throws RestError 404 `conversation_not_found` */
  remove(id: number): Promise<void>
  /** Deletes turns older than a day. */
  prune(): Promise<void>
}

export function createConversations(db: ConversationDatabase): Conversations {
  const oldest = () => toGmt(Date.now() - KEPT_MS)

  return {
    newId: () => randomBytes(16).toString('base64url'),

    async turns(id) {
      const rows = await db
        .selectFrom('ai_helpdesk_turns')
        .select(['question', 'reply'])
        .where('conversation_id', '=', id)
        .where('created_gmt', '>=', oldest())
        .orderBy('id', 'desc')
        .limit(REMEMBERED)
        .execute()
      if (rows.length === 0) {
        throw new RestError('conversation_not_found', 'This conversation has ended. Start a new one.', { status: 404 })
      }
      return rows.reverse()
    },

    async add(id, { question, reply, answered }) {
      const row = { conversation_id: id, question, reply, answered: Number(answered), created_gmt: toGmt(Date.now()) }
      await db.insertInto('ai_helpdesk_turns').values(row).execute()
    },

    async list(limit, offset) {
      const recent = db.selectFrom('ai_helpdesk_turns').where('created_gmt', '>=', oldest())
      const { total } = await recent
        .select(({ fn }) => fn.count<number>('conversation_id').distinct().as('total'))
        .executeTakeFirstOrThrow()
      const page = await recent
        .select(({ fn }) => ['conversation_id', fn.max('id').as('last')])
        .groupBy('conversation_id')
        .orderBy('last', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
      const ids = page.map(({ conversation_id }) => conversation_id)
      if (ids.length === 0) return { items: [], total: Number(total) }
      const rows = await recent.selectAll().where('conversation_id', 'in', ids).orderBy('id').execute()
      const turns = Map.groupBy(rows, ({ conversation_id }) => conversation_id)
      return { items: ids.map((id) => toConversation(turns.get(id) ?? [])), total: Number(total) }
    },

    async remove(id) {
      const own = db.selectFrom('ai_helpdesk_turns').select('conversation_id').where('id', '=', id)
      const { numDeletedRows } = await db
        .deleteFrom('ai_helpdesk_turns')
        .where('conversation_id', 'in', own)
        .executeTakeFirstOrThrow()
      if (numDeletedRows === 0n)
        throw new RestError('conversation_not_found', 'Conversation not found.', { status: 404 })
    },

    async prune() {
      await db.deleteFrom('ai_helpdesk_turns').where('created_gmt', '<', oldest()).execute()
    },
  }
}

function toConversation(rows: readonly Selectable<TurnTable>[]): ConversationRow {
  return {
    id: rows[0]?.id ?? 0,
    updatedAt: fromGmt(rows.at(-1)?.created_gmt ?? ''),
    answered: rows.every(({ answered }) => answered === 1),
    turns: rows.map(({ question, reply, answered, created_gmt }) => {
      return { question, reply, answered: answered === 1, createdAt: fromGmt(created_gmt) }
    }),
  }
}
