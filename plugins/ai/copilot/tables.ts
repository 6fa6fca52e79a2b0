import type { Generated, Kysely, Selectable } from 'kysely'
import type { Database } from 'pentad'
import type { AuditEvent } from './audit-events.ts'

/** Times are sortable UTC text; data of models and abilities is JSON text. */
export type CopilotTables = {
  ai_conversations: ConversationTable
  ai_messages: MessageTable
  ai_changes: ChangeTable
  ai_audit: AuditTable
}

export type ConversationTable = {
  id: Generated<number>
  user_id: number
  /** Start of the first message. */
  title: string
  updated_gmt: string
}

/** Messages, ordered by ID. */
export type MessageTable = {
  id: Generated<number>
  conversation_id: number
  role: 'user' | 'assistant'
  text: string
  created_gmt: string
  /** Tools used by the assistant, as JSON: `[{ tool, summary }]`. */
  steps: string
}

export type ChangeStatus = 'proposed' | 'applying' | 'applied' | 'discarded'

/** Proposed changes, each a call of an ability that writes. */
export type ChangeTable = {
  id: Generated<number>
  conversation_id: number
  /** ID of the reply that proposed the change. */
  message_id: Generated<number>
  /** The user who asked for it; other users cannot see it. */
  user_id: number
  ability: string
  input: string
  target: string
  summary: string
  before: string
  after: string
  /** `applying` from before the ability runs until it has finished. */
  status: ChangeStatus
  created_gmt: string
  /** Time of the last status change. */
  settled_gmt: string
}

/** Audit log of the copilot; rows are never updated. */
export type AuditTable = {
  id: Generated<number>
  created_gmt: string
  user_id: number
  /** `null` for a turn that failed before a conversation was created. */
  conversation_id: number | null
  change_id: number | null
  event: AuditEvent
  ability: string
  summary: string
  /** `ok`, or an error code. */
  outcome: string
}

export type Message = Selectable<MessageTable>
export type ChangeRow = Selectable<ChangeTable>
export type AuditRow = Selectable<AuditTable>

/** The query builder of the site, with these tables. */
export type CopilotDatabase = Awaited<ReturnType<typeof openCopilotTables>>

/** Creates or migrates the tables. */
export async function openCopilotTables(database: Database) {
  await database.migrate('ai_copilot', {
    '001_copilot': { up: (db) => create(db, database.kind) },
    '002_steps': {
      async up(db) {
        const column = db.schema.alterTable('ai_messages')
        await column.addColumn('steps', 'text', (c) => c.notNull().defaultTo('[]')).execute()
      },
    },
    '003_message': {
      async up(db) {
        const column = db.schema.alterTable('ai_changes')
        await column.addColumn('message_id', 'integer', (c) => c.notNull().defaultTo(0)).execute()
      },
    },
  })
  return database.db.withTables<CopilotTables>()
}

async function create(db: Kysely<unknown>, kind: Database['kind']): Promise<void> {
  const table = (name: string) =>
    db.schema
      .createTable(name)
      .addColumn('id', 'integer', (column) =>
        kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity(),
      )

  await table('ai_conversations')
    .addColumn('user_id', 'integer', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('updated_gmt', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('ai_conversations_user')
    .on('ai_conversations')
    .columns(['user_id', 'updated_gmt'])
    .execute()

  await table('ai_messages')
    .addColumn('conversation_id', 'integer', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('created_gmt', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('ai_messages_conversation').on('ai_messages').columns(['conversation_id', 'id']).execute()

  await table('ai_changes')
    .addColumn('conversation_id', 'integer', (c) => c.notNull())
    .addColumn('user_id', 'integer', (c) => c.notNull())
    .addColumn('ability', 'text', (c) => c.notNull())
    .addColumn('input', 'text', (c) => c.notNull())
    .addColumn('target', 'text', (c) => c.notNull())
    .addColumn('summary', 'text', (c) => c.notNull())
    .addColumn('before', 'text', (c) => c.notNull())
    .addColumn('after', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('created_gmt', 'text', (c) => c.notNull())
    .addColumn('settled_gmt', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('ai_changes_user').on('ai_changes').columns(['user_id', 'id']).execute()
  // Rows are large because of their texts: the index finds pending changes without reading settled ones.
  await db.schema.createIndex('ai_changes_status').on('ai_changes').columns(['user_id', 'status', 'id']).execute()
  await db.schema.createIndex('ai_changes_conversation').on('ai_changes').column('conversation_id').execute()

  await table('ai_audit')
    .addColumn('created_gmt', 'text', (c) => c.notNull())
    .addColumn('user_id', 'integer', (c) => c.notNull())
    .addColumn('conversation_id', 'integer')
    .addColumn('change_id', 'integer')
    .addColumn('event', 'text', (c) => c.notNull())
    .addColumn('ability', 'text', (c) => c.notNull())
    .addColumn('summary', 'text', (c) => c.notNull())
    .addColumn('outcome', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('ai_audit_created').on('ai_audit').column('created_gmt').execute()
}
