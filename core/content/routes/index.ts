import type { Undo } from '../../hooks/types.ts'
import type { Rest } from '../../rest/types.ts'
import type { PostType, Taxonomy } from '../types.ts'
import { registerCommentRoutes } from './comments/index.ts'
import './hooks.ts'
import type { RouteParts } from './parts.ts'
import { registerPostTypeRoutes } from './post-types.ts'
import { registerPostRoutes } from './posts/index.ts'
import { registerSearchRoutes } from './search.ts'
import { registerSiteSettingsRoutes } from './settings.ts'
import { registerStatusRoutes } from './statuses.ts'
import { registerTaxonomyRoutes } from './taxonomies.ts'
import { registerTermRoutes } from './terms.ts'
import { registerUserRoutes } from './users.ts'

/**
 * Registers the reading routes of `wp/v2` in WordPress's shape (contract 2.7): the post types and taxonomies that
 * are registered now, users, comments, search, types, taxonomies, statuses and settings.
 */
export function registerContentRoutes(
  rest: Rest,
  parts: Pick<RouteParts, 'content' | 'auth' | 'hooks'> & { readonly config: { readonly url: string } },
): void {
  const { content, auth, hooks, config } = parts
  const own: RouteParts = { rest, content, auth, hooks, siteUrl: config.url }
  for (const type of content.postTypes().values()) registerRoutesOfType(own, type)
  for (const taxonomy of content.taxonomies().values()) registerRoutesOfTaxonomy(own, taxonomy)
  registerUserRoutes(own)
  registerCommentRoutes(own)
  registerSearchRoutes(own)
  registerPostTypeRoutes(own)
  registerTaxonomyRoutes(own)
  registerStatusRoutes(own)
  registerSiteSettingsRoutes(own)
}

/** A type that REST does not show has no routes. */
function registerRoutesOfType(parts: RouteParts, type: PostType): Undo | undefined {
  return type.restBase === null ? undefined : registerPostRoutes(parts, type)
}

function registerRoutesOfTaxonomy(parts: RouteParts, taxonomy: Taxonomy): Undo | undefined {
  return taxonomy.restBase === null ? undefined : registerTermRoutes(parts, taxonomy)
}
