import type { Auth } from '../../auth/types.ts'
import type { Hooks } from '../../hooks/types.ts'
import type { Rest } from '../../rest/types.ts'
import type { Content } from '../types.ts'

/** What the reading routes of `wp/v2` are made of. */
export interface RouteParts {
  readonly rest: Rest
  readonly content: Content
  readonly auth: Auth
  readonly hooks: Hooks
  /** Public origin of the site, without a slash at the end. */
  readonly siteUrl: string
}

export const NAMESPACE = 'wp/v2'
