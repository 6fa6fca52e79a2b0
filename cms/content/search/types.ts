import type { User } from '../../../core/auth/types.ts'
import type { PostSearch } from '../posts/types.ts'

/** A search of the site for a user. */
export interface ContentSearch extends Pick<PostSearch, 'match' | 'limit'> {
  /** The searching user; `null` for an anonymous visitor. */
  readonly user: User | null
  /** Names of public types; default: all of them. Attachments are never found. */
  readonly types?: readonly string[] | undefined
}
