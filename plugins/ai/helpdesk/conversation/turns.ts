import { randomBytes } from 'node:crypto'
import { RestError, toGmt } from 'pentad'
import type { ConversationDatabase } from './tables.ts'

/** Turns of a conversation that a model gets to see. */
const REMEMBERED = 4
/** What visitors write is nobody's business for longer. */
const KEPT_MS = 86_400_000

/** One question with what was answered. */
export interface Turn {
  readonly question: string
  readonly reply: string
}

/** Conversations with visitors. Who knows the id of one may go on with it, for a day. */
export interface Conversations {
  newId(): string
  /** The last turns, oldest first. @throws RestError 404 `conversation_not_found` */
  turns(id: string): Promise<Turn[]>
  add(id: string, turn: Turn): Promise<void>
  /** Forgets what is older than a day. */
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
        throw new RestError('conversation_not_found', 'This conversation is over. Start another one.', { status: 404 })
      }
      return rows.reverse()
    },

    async add(id, { question, reply }) {
      const row = { conversation_id: id, question, reply, created_gmt: toGmt(Date.now()) }
      await db.insertInto('ai_helpdesk_turns').values(row).execute()
    },

    async prune() {
      await db.deleteFrom('ai_helpdesk_turns').where('created_gmt', '<', oldest()).execute()
    },
  }
}
