import type { Generated } from 'kysely'

/**
 * The tables every site has. Times are UTC text, `YYYY-MM-DD HH:MM:SS` as WordPress stores them
 * (they sort); a column without `_gmt` is in the site's time zone. Flags are 0 or 1.
 * Values of meta columns are JSON text.
 */
export interface Schema {
  users: UserTable
  usermeta: MetaTable & { user_id: number }
  sessions: SessionTable
  application_passwords: ApplicationPasswordTable
  security_log: SecurityLogTable
  posts: PostTable
  postmeta: MetaTable & { post_id: number }
  terms: TermTable
  termmeta: MetaTable & { term_id: number }
  term_relationships: { post_id: number; term_id: number; term_order: number }
  comments: CommentTable
  commentmeta: MetaTable & { comment_id: number }
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

export interface PostTable {
  id: Generated<number>
  /** `post`, `page`, `attachment`, `revision`, or a type an extension registered. */
  type: string
  /** `publish`, `future`, `draft`, `pending`, `private`, `trash`, `auto-draft`, `inherit`. */
  status: string
  author_id: number
  parent_id: number
  menu_order: number
  /** Unique among posts of one type and parent as in WordPress; empty on a draft without one. */
  slug: string
  /** Whole public path of a published post, `/about/team/`; what the front controller looks up. */
  path: string
  title: string
  content: string
  excerpt: string
  password: string
  comment_status: string
  ping_status: string
  comment_count: Generated<number>
  sticky: Generated<number>
  template: string
  mime_type: string
  guid: string
  date: string
  date_gmt: string
  modified: string
  modified_gmt: string
}

export interface TermTable {
  id: Generated<number>
  /** `category`, `post_tag`, or one an extension registered. */
  taxonomy: string
  name: string
  slug: string
  description: string
  parent_id: number
  /** Published posts that carry the term. */
  count: Generated<number>
}

export interface CommentTable {
  id: Generated<number>
  post_id: number
  parent_id: number
  user_id: number
  author_name: string
  author_email: string
  author_url: string
  author_address: string
  user_agent: string
  content: string
  /** `approved`, `hold`, `spam`, `trash`. */
  status: string
  /** `comment`, `pingback`, `trackback`. */
  type: string
  date: string
  date_gmt: string
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
