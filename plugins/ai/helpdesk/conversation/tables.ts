import type { Generated, Kysely } from 'kysely'
import type { Database } from 'pentad'

export type ConversationTables = { ai_helpdesk_turns: TurnTable }

/** What visitors asked and were told, in order of the ids. */
export type TurnTable = {
  id: Generated<number>
  /** Known to the visitor alone. */
  conversation_id: string
  question: string
  reply: string
  /** 1 where the site had an answer. */
  answered: number
  /** UTC text that sorts. */
  created_gmt: string
}

/** The site's query builder, which knows this table too. */
export type ConversationDatabase = Awaited<ReturnType<typeof openConversationTables>>

/** Makes the table or brings it up to date. */
export async function openConversationTables(database: Database) {
  await database.migrate('ai_helpdesk', {
    '001_helpdesk': { up: (db) => create(db, database.kind) },
    '002_answered': {
      async up(db) {
        const column = db.schema.alterTable('ai_helpdesk_turns')
        await column.addColumn('answered', 'integer', (c) => c.notNull().defaultTo(1)).execute()
      },
    },
  })
  return database.db.withTables<ConversationTables>()
}

async function create(db: Kysely<unknown>, kind: Database['kind']): Promise<void> {
  await db.schema
    .createTable('ai_helpdesk_turns')
    .addColumn('id', 'integer', (column) =>
      kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity(),
    )
    .addColumn('conversation_id', 'text', (c) => c.notNull())
    .addColumn('question', 'text', (c) => c.notNull())
    .addColumn('reply', 'text', (c) => c.notNull())
    .addColumn('created_gmt', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('ai_helpdesk_turns_conversation')
    .on('ai_helpdesk_turns')
    .columns(['conversation_id', 'id'])
    .execute()
  await db.schema.createIndex('ai_helpdesk_turns_created').on('ai_helpdesk_turns').column('created_gmt').execute()
}
