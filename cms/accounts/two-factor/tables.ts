import type { Kysely } from 'kysely'

declare module '../../../core/database/schema.ts' {
  interface Schema {
    two_factor: TwoFactorTable
    recovery_codes: RecoveryCodeTable
    passkeys: PasskeyTable
  }
}

/** One row for each user with a second factor. */
export interface TwoFactorTable {
  user_id: number
  /** JSON of the encrypted secret of the authenticator app; empty without an app. */
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

export interface PasskeyTable {
  /** The credential ID, base64url. */
  id: string
  user_id: number
  name: string
  /** COSE key, base64url; PEM up to version 1.0.0-beta.1. */
  public_key: string
  /** How often the authenticator has signed; 0 if it does not count. */
  counter: number
  /** When the last answered challenge was created, ISO 8601: older ones are not accepted again. */
  last_challenge: string
  created_gmt: string
  last_used_gmt: string | null
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

export async function createPasskeyTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('public_key', 'text', (c) => c.notNull())
    .addColumn('counter', 'bigint', (c) => c.notNull())
    .addColumn('last_challenge', 'text', (c) => c.notNull())
    .addColumn('created_gmt', 'text', (c) => c.notNull())
    .addColumn('last_used_gmt', 'text')
    .execute()
  await db.schema.createIndex('passkeys_user').on('passkeys').column('user_id').execute()
}
