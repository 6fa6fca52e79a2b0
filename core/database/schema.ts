import type { Generated } from 'kysely'

/**
 * The tables of the host; other parts of the product add theirs by declaration merging. Times are UTC text in WordPress's sortable format
 * `YYYY-MM-DD HH:MM:SS`; a column without `_gmt` is in the site's time zone.
 * Flags are 0 or 1. Values of meta columns are JSON text.
 */
export interface Schema {
  users: UserTable
  usermeta: MetaTable & { user_id: number }
  sessions: SessionTable
}

export interface MetaTable {
  meta_id: Generated<number>
  meta_key: string
  /** JSON text. */
  meta_value: string
}

export interface UserTable {
  id: Generated<number>
  login: string
  /** `login` in lower case; unique, so that logins are case-insensitive. */
  login_key: string
  password_hash: string
  email: string
  /** Part of `/author/<slug>/`; unique. */
  slug: string
  display_name: string
  url: string
  description: string
  first_name: string
  last_name: string
  locale: string
  /** JSON array of role names. */
  roles: string
  registered_gmt: string
}

export interface SessionTable {
  /** SHA-256 of the token in the cookie, hex. */
  token_hash: string
  /** Public id, by which users list and end sessions. */
  id: string
  user_id: number
  created_gmt: string
  expires_gmt: string
  address: string
  user_agent: string
  /** When the user last confirmed the password in this session. */
  confirmed_gmt: string | null
}
