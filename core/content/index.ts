import type { Auth } from '../auth/types.ts'
import './hooks.ts'
import type { Database } from '../database/index.ts'
import type { Hooks, Undo } from '../hooks/types.ts'
import type { Logger } from '../log.ts'
import type { Options } from '../options/types.ts'
import { createComments } from './comments.ts'
import { createMedia } from './media.ts'
import { createMeta } from './meta.ts'
import { contentMigrations } from './migrations.ts'
import type { ContentParts } from './parts.ts'
import { createPosts } from './posts/index.ts'
import { plainAddress } from './posts/write.ts'
import { createRegistrations } from './registrations.ts'
import { createRender } from './render/index.ts'
import { createSearchIndex } from './search/index.ts'
import { createSiteSettings } from './site-settings.ts'
import { createCurrentAddresses } from './site-urls.ts'
import { createTerms } from './terms/index.ts'
import type { Content, Post, PostType, Term } from './types.ts'

export { seedContent } from './first-content.ts'
export { noteSiteUrl } from './site-urls.ts'

/**
 * Opens the content of a site: brings its tables up to date and makes the repositories.
 *
 * @param parts.auth - Learns the capabilities of each post type that is registered.
 */
export async function createContent(parts: {
  database: Database
  hooks: Hooks
  options: Options
  auth: Pick<Auth, 'addCapabilityType'>
  config: { readonly url: string; readonly adminEmail: string }
  log: Logger
}): Promise<Content> {
  const { database, hooks, options, auth, config, log } = parts
  await database.migrate('content', contentMigrations(database.kind))

  const registrations = createRegistrations()
  const settings = createSiteSettings(options, config.adminEmail)
  const content: ContentParts = {
    database,
    hooks,
    registrations,
    search: createSearchIndex(database),
    settings: settings.get,
    siteUrl: config.url,
  }
  const posts = createPosts(content)
  const meta = createMeta(content)
  const media = createMedia({ meta, siteUrl: config.url })
  const currentAddresses = createCurrentAddresses(options, config.url)
  const render = createRender({ hooks, media, posts, siteUrl: config.url, currentAddresses, log })

  function link(of: Post | Term): string {
    if ('taxonomy' in of)
      return of.path === ''
        ? `${config.url}/?taxonomy=${encodeURIComponent(of.taxonomy)}&term=${of.slug}`
        : config.url + of.path
    const { showOnFront, pageOnFront } = settings.get()
    if (showOnFront === 'page' && pageOnFront === of.id) return `${config.url}/`
    return config.url + (of.path === '' ? plainAddress(of) : of.path)
  }

  function registerPostType(type: PostType): Undo {
    const [singular, plural] = type.capabilityType
    const undoType = registrations.registerPostType(type)
    const undoCapabilities = auth.addCapabilityType(type.name, [singular, plural])
    return () => {
      undoCapabilities()
      undoType()
    }
  }

  return {
    posts,
    terms: createTerms(content),
    comments: createComments(content),
    media,
    meta,
    postTypes: registrations.postTypes,
    taxonomies: registrations.taxonomies,
    registerPostType,
    registerTaxonomy: registrations.registerTaxonomy,
    siteSettings: settings.get,
    updateSiteSettings: settings.update,
    link,
    renderContent: render.content,
    renderExcerpt: render.excerpt,
    renderTitle: render.title,
  }
}
