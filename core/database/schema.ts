import type { Generated } from 'kysely'

/**
 * The tables of the host; a part of the site that has tables of its own adds them by declaration merging. Times are UTC
 * text, `YYYY-MM-DD HH:MM:SS` as WordPress stores them (they sort); a column without `_gmt` is in the site's time zone.
 * Flags are 0 or 1. Values of meta columns are JSON text.
 */
export interface Schema {
  users: UserTable
  usermeta: MetaTable & { user_id: number }
  sessions: SessionTable
  jobs: JobTable
  leases: LeaseTable
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
  /** `login` in lower case; unique, so that `Ann` and `ann` are one name. */
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
  /** What the user sees and revokes by. */
  id: string
  user_id: number
  created_gmt: string
  expires_gmt: string
  address: string
  user_agent: string
  /** When the user last gave their password again in this session. */
  confirmed_gmt: string | null
}

export interface JobTable {
  id: string
  type: string
  state: string
  /** JSON text: what the next tick starts from. */
  data: string
  /** 0 to 100. */
  percent: number
  message: string
  error: string | null
  attempts: number
  run_after_gmt: string
  created_gmt: string
  updated_gmt: string
}

export interface LeaseTable {
  name: string
  holder: string
  /** Milliseconds since 1970. */
  expires: number
}
