import type { Kysely } from 'kysely'

declare module '../../../core/database/schema.ts' {
  interface Schema {
    two_factor: TwoFactorTable
    recovery_codes: RecoveryCodeTable
  }
}

/** One row for each user with an authenticator app. */
export interface TwoFactorTable {
  user_id: number
  /** JSON of the encrypted secret. */
  secret: string
  /** The time step of the last accepted code: codes are valid once. */
  last_step: number
  /** Wrong codes since the last right one, which delay the next attempt. */
  failures: number
  last_failure_gmt: string | null
  created_gmt: string
}

export interface RecoveryCodeTable {
  user_id: number
  /** SHA-256, hex. */
  code_hash: string
}

export async function createTwoFactorTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('two_factor')
    .addColumn('user_id', 'integer', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('last_step', 'integer', (c) => c.notNull())
    .addColumn('failures', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('last_failure_gmt', 'text')
    .addColumn('created_gmt', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('recovery_codes')
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('code_hash', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('recovery_codes_key', ['user_id', 'code_hash'])
    .execute()
}
