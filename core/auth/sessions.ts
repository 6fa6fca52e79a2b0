import { hash, randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import { fromGmt, toGmt } from '../database/gmt.ts'
import type { SessionTable, SiteDatabase } from '../database/index.ts'
import { isRowId } from '../database/row-id.ts'
import { createRecentLookups } from './recent-lookups.ts'
import { isPlainText } from './text.ts'
import type { Session, SessionClient, Sessions, SignedIn, User } from './types.ts'
import { toUser } from './user-rows.ts'

const DAY = 24 * 60 * 60 * 1000
/** WordPress's `auth_cookie_expiration`. */
export const SESSION_LIFETIME = 2 * DAY
export const REMEMBERED_LIFETIME = 14 * DAY
/** Minimum interval between deletions of expired sessions, in milliseconds. */
const CLEANING_INTERVAL = 60 * 60 * 1000
/** Maximum stored length of a user agent, in characters. */
const USER_AGENT_LENGTH = 500

export interface OpenSession {
  readonly user: User
  readonly session: Session
}

export interface SessionStore extends Sessions {
  start(user: User, client: SessionClient): Promise<SignedIn>
  /** The session with this token; `undefined` if it is unknown or has expired. */
  find(token: string): Promise<OpenSession | undefined>
  /** Invalidates cached sessions of a user. */
  invalidate(userId: number): void
}

/** Sessions of logged-in users. The database stores only SHA-256 hashes of tokens, so reading it gives no access to accounts. */
export function createSessions(database: SiteDatabase, now: () => number, isShared: boolean): SessionStore {
  const { db } = database
  const lookups = createRecentLookups<OpenSession>(now, isShared, database.externalVersion)
  let nextCleaning = 0

  async function clean(): Promise<void> {
    if (now() < nextCleaning) return
    nextCleaning = now() + CLEANING_INTERVAL
    await db.deleteFrom('sessions').where('expires_gmt', '<=', toGmt(now())).execute()
  }

  async function read(tokenHash: string): Promise<OpenSession | undefined> {
    const row = await db.selectFrom('sessions').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst()
    if (!row) return undefined
    const user = await db.selectFrom('users').selectAll().where('id', '=', row.user_id).executeTakeFirst()
    return user && { user: toUser(user), session: toSession(row) }
  }

  async function end(userId: number, which: { id?: string | undefined; except?: string }): Promise<number> {
    const { id, except } = which
    if (!isRowId(userId) || (id !== undefined && !isPlainText(id))) return 0
    const { numDeletedRows } = await db
      .deleteFrom('sessions')
      .where('user_id', '=', userId)
      .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
      .$if(except !== undefined, (query) => query.where('id', '<>', except ?? ''))
      .executeTakeFirst()
    lookups.invalidate(userId)
    return Number(numDeletedRows)
  }

  return {
    async start(user, { address, userAgent, remember }) {
      await clean()
      const token = randomBytes(32).toString('base64url')
      const row = {
        token_hash: hashToken(token),
        id: randomBytes(16).toString('base64url'),
        user_id: user.id,
        created_gmt: toGmt(now()),
        expires_gmt: toGmt(now() + (remember ? REMEMBERED_LIFETIME : SESSION_LIFETIME)),
        address,
        user_agent: userAgent.replaceAll('\0', '').slice(0, USER_AGENT_LENGTH),
        confirmed_gmt: null,
      }
      await db.insertInto('sessions').values(row).execute()
      return { user, session: toSession(row), token }
    },
    async find(token) {
      const key = hashToken(token)
      const open = lookups.fresh(key) ?? (await lookups.load(key, () => read(key)))
      return open && Date.parse(open.session.expires) > now() ? open : undefined
    },
    invalidate: lookups.invalidate,
    async list(userId) {
      if (!isRowId(userId)) return []
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .where('expires_gmt', '>', toGmt(now()))
        .orderBy('created_gmt', 'desc')
        .orderBy('id')
        .execute()
      return rows.map(toSession)
    },
    end: (userId, id) => end(userId, { id }),
    endOthers: (userId, id) => end(userId, { except: id }),
  }
}

function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}

function toSession(row: Selectable<SessionTable>): Session {
  return {
    id: row.id,
    userId: row.user_id,
    created: fromGmt(row.created_gmt),
    expires: fromGmt(row.expires_gmt),
    address: row.address,
    userAgent: row.user_agent,
  }
}
