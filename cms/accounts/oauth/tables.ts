import type { Kysely } from 'kysely'

declare module '../../../core/database/schema.ts' {
  interface Schema {
    oauth_clients: OAuthClientTable
    oauth_grants: OAuthGrantTable
    oauth_tokens: OAuthTokenTable
  }
}

/** Applications that have registered. */
export interface OAuthClientTable {
  id: string
  name: string
  /** JSON array. */
  redirect_uris: string
  created_gmt: string
}

/** What users have given to applications; one for each user and application. */
export interface OAuthGrantTable {
  id: string
  user_id: number
  client_id: string
  created_gmt: string
  last_used_gmt: string | null
}

export interface OAuthTokenTable {
  /** SHA-256, hex. */
  hash: string
  grant_id: string
  kind: 'code' | 'access' | 'refresh'
  /** 1 once a code or refresh token was used; each is valid once. */
  used: number
  /** Of a code, where it was sent; otherwise empty. */
  redirect_uri: string
  /** Of a code (RFC 7636); otherwise empty. */
  code_challenge: string
  expires_gmt: string
}

export async function createOAuthTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('oauth_clients')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('redirect_uris', 'text', (c) => c.notNull())
    .addColumn('created_gmt', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('oauth_grants')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('client_id', 'text', (c) => c.notNull().references('oauth_clients.id').onDelete('cascade'))
    .addColumn('created_gmt', 'text', (c) => c.notNull())
    .addColumn('last_used_gmt', 'text')
    .addUniqueConstraint('oauth_grants_user', ['user_id', 'client_id'])
    .execute()
  await db.schema
    .createTable('oauth_tokens')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('grant_id', 'text', (c) => c.notNull().references('oauth_grants.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('used', 'integer', (c) => c.notNull())
    .addColumn('redirect_uri', 'text', (c) => c.notNull())
    .addColumn('code_challenge', 'text', (c) => c.notNull())
    .addColumn('expires_gmt', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('oauth_grants_client').on('oauth_grants').column('client_id').execute()
  await db.schema.createIndex('oauth_tokens_grant').on('oauth_tokens').column('grant_id').execute()
  await db.schema.createIndex('oauth_tokens_expires').on('oauth_tokens').column('expires_gmt').execute()
}
