import { hash, randomBytes, randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { User } from '../../../core/auth/types.ts'
import { toUser } from '../../../core/auth/user-rows.ts'
import { fromGmt, toGmt } from '../../../core/database/gmt.ts'
import type { Database } from '../../../core/database/index.ts'
import { isRowId } from '../../../core/database/row-id.ts'
import { OAuthError } from './errors.ts'
import type { OAuthTokenTable } from './tables.ts'
import type { Connection, Tokens } from './types.ts'

/** Lifetimes in seconds. */
const CODE = 60
const ACCESS = 60 * 60
const REFRESH = 30 * 24 * 60 * 60
/** The last use is stored at most this often, in milliseconds. */
const USE_INTERVAL = 60_000

type Token = Selectable<OAuthTokenTable> & { readonly client_id: string; readonly user_id: number }

interface Parts {
  readonly database: Pick<Database, 'db'>
  readonly now: () => number
  /** A code or refresh token was used twice, so it may have been stolen. */
  readonly onReuse: (userId: number) => Promise<void>
}

/** Access of applications to accounts, and its tokens. The database has only hashes of these. */
export function createGrants({ database: { db }, now, onReuse }: Parts) {
  async function create(grantId: string, kind: Token['kind'], seconds: number, more: Partial<Token> = {}) {
    const token = randomBytes(32).toString('base64url')
    await db
      .insertInto('oauth_tokens')
      .values({
        ...{ hash: hashOf(token), grant_id: grantId, kind, used: 0 },
        ...{ redirect_uri: more.redirect_uri ?? '', code_challenge: more.code_challenge ?? '' },
        expires_gmt: toGmt(now() + seconds * 1000),
      })
      .execute()
    return token
  }

  /** Uses up a code or refresh token. @throws OAuthError `invalid_grant` */
  async function take(text: string, kind: 'code' | 'refresh', clientId: string): Promise<Token> {
    const found = await db
      .selectFrom('oauth_tokens')
      .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_tokens.grant_id')
      .selectAll('oauth_tokens')
      .select(['oauth_grants.client_id', 'oauth_grants.user_id'])
      .where('hash', '=', hashOf(text))
      .where('kind', '=', kind)
      .where('client_id', '=', clientId)
      .where('expires_gmt', '>', toGmt(now()))
      .executeTakeFirst()
    if (!found) throw invalidGrant()
    const { numUpdatedRows } = await db
      .updateTable('oauth_tokens')
      .set({ used: 1 })
      .where('hash', '=', found.hash)
      .where('used', '=', 0)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return found
    // One of those who sent it may have stolen it (RFC 6749, 4.1.2; RFC 9700, 4.14.2).
    await db.deleteFrom('oauth_tokens').where('grant_id', '=', found.grant_id).execute()
    await onReuse(found.user_id)
    throw invalidGrant()
  }

  async function issue(grantId: string): Promise<Tokens> {
    return {
      access_token: await create(grantId, 'access', ACCESS),
      token_type: 'Bearer',
      expires_in: ACCESS,
      refresh_token: await create(grantId, 'refresh', REFRESH),
    }
  }

  async function noteUse(grantId: string, last: string | null): Promise<void> {
    if (last !== null && now() - Date.parse(fromGmt(last)) < USE_INTERVAL) return
    await db
      .updateTable('oauth_grants')
      .set({ last_used_gmt: toGmt(now()) })
      .where('id', '=', grantId)
      .execute()
  }

  return {
    /** Gives an application access. @returns a code for tokens */
    async authorize(user: User, clientId: string, sent: { redirectUri: string; challenge: string }): Promise<string> {
      await db
        .insertInto('oauth_grants')
        .values({ id: randomUUID(), user_id: user.id, client_id: clientId, created_gmt: toGmt(now()) })
        .onConflict((conflict) => conflict.columns(['user_id', 'client_id']).doNothing())
        .execute()
      const { id } = await db
        .selectFrom('oauth_grants')
        .select('id')
        .where('user_id', '=', user.id)
        .where('client_id', '=', clientId)
        .executeTakeFirstOrThrow()
      return create(id, 'code', CODE, { redirect_uri: sent.redirectUri, code_challenge: sent.challenge })
    },
    /** @throws OAuthError `invalid_grant` */
    async exchange(clientId: string, given: { code: string; verifier: string; redirectUri: string | undefined }) {
      const code = await take(given.code, 'code', clientId)
      const isOwn = hash('sha256', given.verifier, 'base64url') === code.code_challenge
      const isSameTarget = given.redirectUri === undefined || given.redirectUri === code.redirect_uri
      if (!isOwn || !isSameTarget) throw invalidGrant()
      return issue(code.grant_id)
    },
    /** @throws OAuthError `invalid_grant` */
    async refresh(clientId: string, refreshToken: string): Promise<Tokens> {
      return issue((await take(refreshToken, 'refresh', clientId)).grant_id)
    },
    /** The user who gave this access token. */
    async userOf(accessToken: string): Promise<User | undefined> {
      const row = await db
        .selectFrom('oauth_tokens')
        .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_tokens.grant_id')
        .innerJoin('users', 'users.id', 'oauth_grants.user_id')
        .selectAll('users')
        .select(['oauth_grants.id as grant_id', 'oauth_grants.last_used_gmt'])
        .where('hash', '=', hashOf(accessToken))
        .where('kind', '=', 'access')
        .where('expires_gmt', '>', toGmt(now()))
        .executeTakeFirst()
      if (!row) return undefined
      await noteUse(row.grant_id, row.last_used_gmt)
      return toUser(row)
    },
    async list(userId: number): Promise<Connection[]> {
      if (!isRowId(userId)) return []
      const rows = await db
        .selectFrom('oauth_grants')
        .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_grants.client_id')
        .select(['oauth_grants.id', 'name', 'oauth_grants.created_gmt', 'last_used_gmt'])
        .where('user_id', '=', userId)
        .orderBy('oauth_grants.created_gmt')
        .execute()
      return rows.map(({ id, name, created_gmt, last_used_gmt }) => ({
        ...{ id, name, created: fromGmt(created_gmt) },
        lastUsed: last_used_gmt === null ? null : fromGmt(last_used_gmt),
      }))
    },
    /** Ends access, with all tokens. @returns the number of ended connections */
    async revoke(userId: number, id?: string): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('oauth_grants')
        .where('user_id', '=', userId)
        .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
    /** Deletes expired tokens, and access that has none left. */
    async prune(): Promise<void> {
      await db.deleteFrom('oauth_tokens').where('expires_gmt', '<=', toGmt(now())).execute()
      await db
        .deleteFrom('oauth_grants')
        .where('id', 'not in', db.selectFrom('oauth_tokens').select('grant_id'))
        .execute()
    },
  }
}

/** Tokens have 256 random bits, so a fast hash is enough. */
const hashOf = (token: string) => hash('sha256', token, 'hex')

function invalidGrant(): OAuthError {
  return new OAuthError('invalid_grant', 'The code or token is not valid, has expired, or was already used.')
}
