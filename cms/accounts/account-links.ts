import { hash, randomBytes } from 'node:crypto'
import type { User } from '../../core/auth/types.ts'
import { fromGmt, toGmt } from '../../core/database/gmt.ts'
import type { Database } from '../../core/database/index.ts'

/** What a link allows: setting a new password, or confirming a new email address. */
export type LinkPurpose = 'password' | 'email'

export interface AccountLink {
  readonly userId: number
  /** The email address that the link was sent to. */
  readonly email: string
  /** Milliseconds since the epoch. */
  readonly created: number
  readonly isExpired: boolean
}

/** Single-use links that are sent by email. The database contains only hashes of their keys. */
export interface AccountLinks {
  /**
   * Creates a link, which replaces the user's previous one for the same purpose.
   * @param lifetime in milliseconds
   * @returns its key: 43 characters that are safe in URLs
   */
  create(user: Pick<User, 'id'>, purpose: LinkPurpose, details: { email: string; lifetime: number }): Promise<string>
  /** The user's current link, whether expired or not. */
  current(userId: number, purpose: LinkPurpose): Promise<AccountLink | undefined>
  find(key: string, purpose: LinkPurpose): Promise<AccountLink | undefined>
  /** Uses up a link: of several requests with the same key, only one receives it. Expired links are not returned. */
  take(key: string, purpose: LinkPurpose): Promise<AccountLink | undefined>
  revoke(userId: number, purpose: LinkPurpose): Promise<void>
  /** Deletes expired links. */
  prune(): Promise<void>
}

/** @param now milliseconds since the epoch */
export function createAccountLinks({ db }: Pick<Database, 'db'>, now: () => number): AccountLinks {
  const found = (row: { user_id: number; email: string; created_gmt: string; expires_gmt: string } | undefined) =>
    row && {
      userId: row.user_id,
      email: row.email,
      created: Date.parse(fromGmt(row.created_gmt)),
      isExpired: row.expires_gmt <= toGmt(now()),
    }

  return {
    async create({ id }, purpose, { email, lifetime }) {
      const key = randomBytes(32).toString('base64url')
      const moment = now()
      const values = {
        key_hash: hashOf(key),
        email,
        created_gmt: toGmt(moment),
        expires_gmt: toGmt(moment + lifetime),
      }
      await db
        .insertInto('account_links')
        .values({ user_id: id, purpose, ...values })
        .onConflict((conflict) => conflict.columns(['user_id', 'purpose']).doUpdateSet(values))
        .execute()
      return key
    },
    async current(userId, purpose) {
      const query = db.selectFrom('account_links').selectAll().where('user_id', '=', userId)
      return found(await query.where('purpose', '=', purpose).executeTakeFirst())
    },
    async find(key, purpose) {
      const query = db.selectFrom('account_links').selectAll().where('key_hash', '=', hashOf(key))
      return found(await query.where('purpose', '=', purpose).executeTakeFirst())
    },
    async take(key, purpose) {
      const row = await db
        .deleteFrom('account_links')
        .where('key_hash', '=', hashOf(key))
        .where('purpose', '=', purpose)
        .where('expires_gmt', '>', toGmt(now()))
        .returningAll()
        .executeTakeFirst()
      return found(row)
    },
    async revoke(userId, purpose) {
      await db.deleteFrom('account_links').where('user_id', '=', userId).where('purpose', '=', purpose).execute()
    },
    async prune() {
      await db.deleteFrom('account_links').where('expires_gmt', '<=', toGmt(now())).execute()
    },
  }
}

/** Keys have 256 random bits, so a fast hash is enough. */
function hashOf(key: string): string {
  return hash('sha256', key, 'hex')
}
