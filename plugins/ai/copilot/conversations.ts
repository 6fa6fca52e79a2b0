import type { Selectable } from 'kysely'
import { fromGmt, RestError, toGmt } from 'pentad'
import { cutLine } from '../cut-text.ts'
import type { ChatMessage } from '../providers/types.ts'
import type { ConversationTable, CopilotDatabase, Message } from './tables.ts'

/** Maximum number of previous messages sent to the model, and their total length. */
const SHOWN_MESSAGES = 20
const SHOWN_CHARACTERS = 24_000

/** Maximum length of a title. */
const LONGEST_TITLE = 80

/** Retention of a conversation after its last message, in days. */
const RETENTION_DAYS = 90
const DAY = 86_400_000

/** Conversations of users with the copilot; each belongs to one user. */
export interface Conversations {
  /** Newest first. */
  list(userId: number, limit: number, offset: number): Promise<{ items: ConversationItem[]; total: number }>
  /** @throws RestError 404 `conversation_not_found`, including for conversations of other users */
  get(id: number, userId: number): Promise<ConversationItem & { messages: Message[] }>
  /** The latest messages for the model, oldest first. @throws RestError as `get` */
  history(id: number, userId: number): Promise<ChatMessage[]>
  /** Deletes a conversation with its pending changes. @throws RestError as `get` */
  remove(id: number, userId: number): Promise<void>
  /** All messages of a user's conversations, oldest first. */
  messagesOf(userId: number): Promise<Message[]>
  /** Deletes all conversations of a user. */
  removeOf(userId: number): Promise<void>
  /** Deletes conversations past their retention. */
  prune(now: number): Promise<void>
}

export interface ConversationItem {
  readonly id: number
  readonly title: string
  readonly updatedAt: string
}

export function createConversations(db: CopilotDatabase): Conversations {
  const ids = () => db.selectFrom('ai_conversations').select('ai_conversations.id')

  async function find(id: number, userId: number): Promise<ConversationItem> {
    const own = db.selectFrom('ai_conversations').selectAll().where('id', '=', id).where('user_id', '=', userId)
    const row = await own.executeTakeFirst()
    if (!row) throw new RestError('conversation_not_found', 'Conversation not found.', { status: 404 })
    return toItem(row)
  }

  /** Applied and discarded changes stay: they belong to the history of the site. */
  async function removeAll(which: ReturnType<typeof ids>): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('ai_messages').where('conversation_id', 'in', which).execute()
      const open = trx.deleteFrom('ai_changes').where('status', '=', 'proposed')
      await open.where('conversation_id', 'in', which).execute()
      await trx.deleteFrom('ai_conversations').where('id', 'in', which).execute()
    })
  }

  return {
    async list(userId, limit, offset) {
      const own = db.selectFrom('ai_conversations').where('user_id', '=', userId)
      const { total } = await own.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const page = own.selectAll().orderBy('updated_gmt', 'desc').orderBy('id', 'desc').limit(limit).offset(offset)
      return { items: (await page.execute()).map(toItem), total }
    },
    async get(id, userId) {
      const conversation = await find(id, userId)
      const messages = db.selectFrom('ai_messages').selectAll().where('conversation_id', '=', id).orderBy('id')
      return { ...conversation, messages: await messages.execute() }
    },
    async history(id, userId) {
      await find(id, userId)
      const last = db.selectFrom('ai_messages').selectAll().where('conversation_id', '=', id)
      const rows = await last.orderBy('id', 'desc').limit(SHOWN_MESSAGES).execute()
      let characters = 0
      const shown = rows.filter(({ text }) => {
        characters += text.length
        return characters <= SHOWN_CHARACTERS
      })
      // Some providers reject a conversation that starts with the assistant.
      const messages = shown.reverse().map(({ role, text }): ChatMessage => ({ role, content: text }))
      return messages[0]?.role === 'assistant' ? messages.slice(1) : messages
    },
    async remove(id, userId) {
      await find(id, userId)
      await removeAll(ids().where('id', '=', id))
    },
    messagesOf: (userId) =>
      db
        .selectFrom('ai_messages')
        .selectAll()
        .where('conversation_id', 'in', ids().where('user_id', '=', userId))
        .orderBy('id')
        .execute(),
    async removeOf(userId) {
      await removeAll(ids().where('user_id', '=', userId))
    },
    async prune(now) {
      await removeAll(ids().where('updated_gmt', '<', toGmt(now - RETENTION_DAYS * DAY)))
    },
  }
}

function toItem({ id, title, updated_gmt }: Selectable<ConversationTable>): ConversationItem {
  return { id, title, updatedAt: fromGmt(updated_gmt) }
}

/** Title of a conversation: the start of its first message. */
export function titleOf(message: string): string {
  return cutLine(message.replace(/[\p{Cc}\s]+/gu, ' ').trim(), LONGEST_TITLE)
}
