import type { User } from '../../../core/auth/types.ts'
import type { PostSearch } from '../posts/types.ts'

/** Who looks for what on the site. */
export interface ContentSearch extends Pick<PostSearch, 'match' | 'limit'> {
  /** Who asks; `null` is a visitor. */
  readonly user: User | null
  /** Names of public types; default: all of them. Attachments are never found. */
  readonly types?: readonly string[] | undefined
}
