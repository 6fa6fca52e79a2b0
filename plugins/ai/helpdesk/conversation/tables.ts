import type { Generated, Kysely } from 'kysely'
import type { Database } from 'pentad'

export type ConversationTables = { ai_helpdesk_turns: TurnTable }

/** Questions of visitors with their answers, ordered by ID. */
export type TurnTable = {
  id: Generated<number>
  /** Secret ID, known only to the visitor. */
  conversation_id: string
  question: string
  reply: string
  /** 1 if the question was answered. */
  answered: number
  /** Sortable UTC text. */
  created_gmt: string
}

/** The query builder of the site, with this table. */
export type ConversationDatabase = Awaited<ReturnType<typeof openConversationTables>>

/** Creates or migrates the table. */
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
