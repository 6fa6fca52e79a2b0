import type { Generated } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type DatabaseKind, tableWithId } from '../../core/database/new-tables.ts'
import type { PartTables } from '../part-tables.ts'

declare module '../../core/database/schema.ts' {
  interface Schema {
    mail_log: MailLogTable
  }
}

export interface MailLogTable {
  id: Generated<number>
  time_gmt: string
  /** Addresses, separated by commas. */
  recipients: string
  subject: string
  state: 'sent' | 'stored' | 'failed'
  /** Why it failed; otherwise empty. */
  error: string
  attempts: number
  /** The message, encrypted; empty if it cannot be sent again. */
  message: string
  /** Keyed hash of the message, by which the log recognizes a retry. */
  digest: string
}

/** Description of the email log for a restore. Archives do not include it. */
export const mailTables: PartTables = {
  owner: 'cms-mail',
  migrations: mailMigrations,
  async *derive() {},
}

function mailMigrations(kind: DatabaseKind): Record<string, Migration> {
  return {
    '001_mail_log': {
      async up(db) {
        await tableWithId(db, kind, 'mail_log')
          .addColumn('time_gmt', 'text', (c) => c.notNull())
          .addColumn('recipients', 'text', (c) => c.notNull())
          .addColumn('subject', 'text', (c) => c.notNull())
          .addColumn('state', 'text', (c) => c.notNull())
          .addColumn('error', 'text', (c) => c.notNull())
          .addColumn('attempts', 'integer', (c) => c.notNull())
          .addColumn('message', 'text', (c) => c.notNull())
          .addColumn('digest', 'text', (c) => c.notNull())
          .execute()
        await db.schema.createIndex('mail_log_time').on('mail_log').column('time_gmt').execute()
        await db.schema.createIndex('mail_log_digest').on('mail_log').column('digest').execute()
      },
    },
  }
}
