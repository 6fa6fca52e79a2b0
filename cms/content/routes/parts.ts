import type { Auth } from '../../../core/auth/types.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { Options } from '../../../core/options/types.ts'
import type { Rest } from '../../../core/rest/types.ts'
import type { Discussion } from '../discussion/types.ts'
import type { PasswordGuesses } from '../password-guesses.ts'
import type { PostPreviews } from '../post-preview.ts'
import type { Content, PostType, Taxonomy } from '../types.ts'

/** Dependencies of the routes of `wp/v2`. */
export interface RouteParts {
  readonly rest: Rest
  readonly content: Content
  readonly auth: Auth
  readonly hooks: Hooks
  readonly options: Options
  readonly discussion: Discussion
  readonly passwordGuesses: PasswordGuesses
  readonly postPreviews: PostPreviews
  /** Folder for files while they are being received, and their maximum size in bytes. */
  readonly uploads: { readonly folder: string; readonly maxBytes: number }
  /** Public origin of the site, without a slash at the end. */
  readonly siteUrl: string
}

/** Dependencies for checking writes of one post type. */
export interface WriteParts extends Pick<RouteParts, 'content' | 'auth' | 'hooks'> {
  readonly type: PostType
  readonly taxonomies: readonly Taxonomy[]
}

export const NAMESPACE = 'wp/v2'
