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
  application_passwords: ApplicationPasswordTable
  security_log: SecurityLogTable
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

export interface SecurityLogTable {
  id: Generated<number>
  /** Hash of what equal entries of one hour have in common; unique. */
  group_key: string
  event: string
  count: number
  first_gmt: string
  last_gmt: string
  /** No foreign keys: entries outlive the users. 0 stands for none. */
  user_id: number
  user_login: string
  actor_id: number
  actor_login: string
  network: string
  user_agent: string
  /** JSON object. */
  detail: string
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
