import type { Config } from '../../../core/config.ts'
import type { Undo } from '../../../core/hooks/types.ts'
import type { Rest } from '../../../core/rest/types.ts'
import { temporaryFolder } from '../media/temporary.ts'
import type { Content, PostType, Taxonomy } from '../types.ts'
import { registerBlockTypeRoutes } from './block-types.ts'
import { registerCommentCountRoute } from './comments/counts.ts'
import { registerCommentRoutes } from './comments/index.ts'
import { registerEmptyRoutes } from './empty.ts'
import { followRegistrations } from './follow.ts'
import { filterShapes } from './hooks.ts'
import { registerAllMenuRoutes } from './menus/index.ts'
import { registerNavigationFallbackRoute } from './navigation-fallback.ts'
import type { RouteParts } from './parts.ts'
import { registerPostCountRoute } from './post-counts.ts'
import { registerPostTypeRoutes } from './post-types.ts'
import { filterShapes as postFilterShapes } from './posts/hooks.ts'
import { registerPostRoutes, taxonomiesOf } from './posts/index.ts'
import { registerSearchRoutes } from './search.ts'
import { registerSiteSettingsRoutes } from './settings.ts'
import { describeSiteImages } from './site-images.ts'
import { registerStatusRoutes } from './statuses.ts'
import { registerTaxonomyRoutes } from './taxonomies.ts'
import { registerTermRoutes } from './terms/index.ts'
import { registerUserRoutes } from './users/index.ts'

export { describeSiteImages } from './site-images.ts'

/**
 * Registers the routes of `wp/v2` in WordPress's format: users, comments, search, types, taxonomies, statuses and settings, and those of
 * post types and taxonomies, which follow their registration.
 */
export function registerContentRoutes(
  rest: Rest,
  parts: Pick<
    RouteParts,
    'content' | 'auth' | 'hooks' | 'options' | 'discussion' | 'passwordGuesses' | 'postPreviews'
  > & {
    readonly config: Pick<Config, 'url' | 'siteDir' | 'maxUpload'>
  },
): void {
  const { content, auth, hooks, options, discussion, passwordGuesses, postPreviews, config } = parts
  hooks.declareFilters({ ...filterShapes, ...postFilterShapes })
  const uploads = { folder: temporaryFolder(config.siteDir), maxBytes: config.maxUpload }
  const own: RouteParts = {
    ...{ rest, content, auth, hooks, options, discussion, passwordGuesses, postPreviews, uploads },
    siteUrl: config.url,
  }
  const types = followRegistrations(routedTypes(content), ({ type }) => registerRoutesOfType(own, type))
  const taxonomies = followRegistrations(content.taxonomies, (taxonomy) => registerRoutesOfTaxonomy(own, taxonomy))
  hooks.addAction('registered_post_type', types)
  hooks.addAction('unregistered_post_type', types)
  for (const change of ['registered_taxonomy', 'unregistered_taxonomy'] as const) {
    hooks.addAction(change, taxonomies)
    hooks.addAction(change, types)
  }
  types()
  taxonomies()
  describeSiteImages(hooks, content.siteSettings, rest.url)
  registerUserRoutes(own)
  registerCommentRoutes(own)
  registerCommentCountRoute(own)
  registerSearchRoutes(own)
  registerPostTypeRoutes(own)
  registerPostCountRoute(own)
  registerTaxonomyRoutes(own)
  registerStatusRoutes(own)
  registerBlockTypeRoutes(own)
  registerAllMenuRoutes(own)
  registerEmptyRoutes(own)
  registerNavigationFallbackRoute(own)
  registerSiteSettingsRoutes(own)
}

/** Dependencies of a type's routes; a new object if the type or its taxonomies change. */
interface RoutedType {
  readonly name: string
  readonly type: PostType
  readonly taxonomies: readonly Taxonomy[]
}

function routedTypes(content: Content): () => ReadonlyMap<string, RoutedType> {
  let known: ReadonlyMap<string, RoutedType> = new Map()
  return () => {
    const types = [...content.postTypes().values()].map((type): RoutedType => {
      const taxonomies = taxonomiesOf(type, content.taxonomies())
      const before = known.get(type.name)
      const isSame =
        before?.type === type &&
        before.taxonomies.length === taxonomies.length &&
        taxonomies.every((taxonomy, at) => taxonomy === before.taxonomies[at])
      return isSame ? before : { name: type.name, type, taxonomies }
    })
    known = new Map(types.map((type) => [type.name, type]))
    return known
  }
}

/** A type that REST does not expose has no routes. */
function registerRoutesOfType(parts: RouteParts, type: PostType): Undo | undefined {
  return type.restBase === null ? undefined : registerPostRoutes(parts, type)
}

function registerRoutesOfTaxonomy(parts: RouteParts, taxonomy: Taxonomy): Undo | undefined {
  return taxonomy.restBase === null ? undefined : registerTermRoutes(parts, taxonomy)
}
