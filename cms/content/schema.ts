import type { Generated } from 'kysely'
import type { MetaTable } from '../../core/database/index.ts'

declare module '../../core/database/schema.ts' {
  interface Schema {
    posts: PostTable
    postmeta: MetaTable & { post_id: number }
    terms: TermTable
    termmeta: MetaTable & { term_id: number }
    term_relationships: { post_id: number; term_id: number; term_order: number }
    comments: CommentTable
    commentmeta: MetaTable & { comment_id: number }
    content_versions: { kind: string; version: number }
  }
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
