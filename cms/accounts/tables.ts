import type { Generated, Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type DatabaseKind, tableWithId } from '../../core/database/new-tables.ts'
import type { PartTables } from '../part-tables.ts'
import { createOAuthTables } from './oauth/tables.ts'
import { createPasskeyTable, createTwoFactorTables } from './two-factor/tables.ts'

declare module '../../core/database/schema.ts' {
  interface Schema {
    application_passwords: ApplicationPasswordTable
    security_log: SecurityLogTable
    account_links: AccountLinkTable
    sign_in_failures: SignInFailureTable
    sign_in_networks: SignInNetworkTable
  }
}

export interface ApplicationPasswordTable {
  uuid: string
  user_id: number
  app_id: string
  name: string
  /** Keyed hash of the 24 letters and digits, hex. */
  password_hash: string
  created_gmt: string
  last_used_gmt: string | null
  last_address: string | null
}

/** At most one row for each user and purpose. */
export interface AccountLinkTable {
  user_id: number
  purpose: 'password' | 'email'
  /** SHA-256 of the key, hex. */
  key_hash: string
  /** The email address that the link was sent to. */
  email: string
  created_gmt: string
  expires_gmt: string
}

/** Three rows for each failed login, if the site has several nodes. */
export interface SignInFailureTable {
  attempt: string
  /** Keyed hash of the user, the network, both, or the device. */
  subject: string
  /** Milliseconds since the epoch. */
  moment: number
}

/** Networks from which users have logged in, if the site has several nodes. */
export interface SignInNetworkTable {
  /** Keyed hash of the user and the network. */
  pair: string
  moment: number
}

export interface SecurityLogTable {
  id: Generated<number>
  /** Hash of what equal entries of one hour have in common; unique. */
  group_key: string
  event: string
  count: number
  first_gmt: string
  last_gmt: string
  /** No foreign keys: entries outlive their users. 0 means none. */
  user_id: number
  user_login: string
  actor_id: number
  actor_login: string
  network: string
  user_agent: string
  /** JSON object. */
  detail: string
}

/** Description of the account tables for a restore. The owner is not a valid extension ID. */
export const accountTables: PartTables = {
  owner: 'cms-accounts',
  migrations: accountMigrations,
  async *derive() {},
}

/** They may exist already, because up to version 0.1.0 core's migrations created them. */
function accountMigrations(kind: DatabaseKind): Record<string, Migration> {
  return {
    '001_accounts': {
      async up(db) {
        await createApplicationPasswords(db)
        await createSecurityLog(db, kind)
      },
    },
    '002_account_links': { up: createAccountLinks },
    '003_two_factor': { up: createTwoFactorTables },
    '004_passkeys': { up: createPasskeyTable },
    '005_oauth': { up: createOAuthTables },
    '006_sign_in_limit': { up: createSignInLimitTables },
  }
}

async function createApplicationPasswords(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('application_passwords')
    .ifNotExists()
    .addColumn('uuid', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('app_id', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('password_hash', 'text', (c) => c.notNull())
    .addColumn('created_gmt', 'text', (c) => c.notNull())
    .addColumn('last_used_gmt', 'text')
    .addColumn('last_address', 'text')
    .addUniqueConstraint('application_passwords_name', ['user_id', 'name'])
    .execute()
}

async function createAccountLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('account_links')
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('key_hash', 'text', (c) => c.notNull().unique())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('created_gmt', 'text', (c) => c.notNull())
    .addColumn('expires_gmt', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('account_links_key', ['user_id', 'purpose'])
    .execute()
}

async function createSignInLimitTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_in_failures')
    .addColumn('attempt', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('moment', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('sign_in_failures_key', ['attempt', 'subject'])
    .execute()
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`sign_in_failures_${name}`).on('sign_in_failures').columns(columns).execute()
  await index('subject', ['subject', 'moment'])
  await index('moment', ['moment'])
  await db.schema
    .createTable('sign_in_networks')
    .addColumn('pair', 'text', (c) => c.primaryKey())
    .addColumn('moment', 'bigint', (c) => c.notNull())
    .execute()
}

async function createSecurityLog(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  await tableWithId(db, kind, 'security_log')
    .ifNotExists()
    .addColumn('group_key', 'text', (c) => c.notNull().unique())
    .addColumn('event', 'text', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('first_gmt', 'text', (c) => c.notNull())
    .addColumn('last_gmt', 'text', (c) => c.notNull())
    .addColumn('user_id', 'integer', (c) => c.notNull())
    .addColumn('user_login', 'text', (c) => c.notNull())
    .addColumn('actor_id', 'integer', (c) => c.notNull())
    .addColumn('actor_login', 'text', (c) => c.notNull())
    .addColumn('network', 'text', (c) => c.notNull())
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .addColumn('detail', 'text', (c) => c.notNull())
    .execute()
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`security_log_${name}`).ifNotExists().on('security_log').columns(columns).execute()
  await index('list', ['last_gmt', 'id'])
  await index('event', ['event', 'last_gmt', 'id'])
  await index('user', ['user_id', 'last_gmt'])
  await index('actor', ['actor_id', 'last_gmt'])
}
