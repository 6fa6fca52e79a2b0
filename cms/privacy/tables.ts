import type { Generated } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type DatabaseKind, tableWithId } from '../../core/database/new-tables.ts'
import type { PartTables } from '../part-tables.ts'
import type { PrivacyRequestState, PrivacyRequestType } from './types.ts'

declare module '../../core/database/schema.ts' {
  interface Schema {
    privacy_requests: PrivacyRequestTable
  }
}

export interface PrivacyRequestTable {
  id: Generated<number>
  type: PrivacyRequestType
  email: string
  state: PrivacyRequestState
  /** SHA-256 of the key in the link, hex; empty if there is no link. */
  key_hash: string
  /** When the link expires. */
  expires_gmt: string
  created_gmt: string
  confirmed_gmt: string | null
  completed_gmt: string | null
  /** JSON of the report of an erasure; empty otherwise. */
  report: string
}

/** Description of the requests for a restore. Archives do not include them. */
export const privacyTables: PartTables = {
  owner: 'cms-privacy',
  migrations: privacyMigrations,
  async *derive() {},
}

function privacyMigrations(kind: DatabaseKind): Record<string, Migration> {
  return {
    '001_privacy_requests': {
      async up(db) {
        await tableWithId(db, kind, 'privacy_requests')
          .addColumn('type', 'text', (c) => c.notNull())
          .addColumn('email', 'text', (c) => c.notNull())
          .addColumn('state', 'text', (c) => c.notNull())
          .addColumn('key_hash', 'text', (c) => c.notNull())
          .addColumn('expires_gmt', 'text', (c) => c.notNull())
          .addColumn('created_gmt', 'text', (c) => c.notNull())
          .addColumn('confirmed_gmt', 'text')
          .addColumn('completed_gmt', 'text')
          .addColumn('report', 'text', (c) => c.notNull())
          .execute()
        await db.schema.createIndex('privacy_requests_key').on('privacy_requests').column('key_hash').execute()
      },
    },
  }
}
