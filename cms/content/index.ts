import type { HostAuth } from '../../core/auth/host-auth.ts'
import type { SiteDatabase } from '../../core/database/index.ts'
import type { Hooks, Undo } from '../../core/hooks/types.ts'
import type { Logger } from '../../core/log.ts'
import type { Options } from '../../core/options/types.ts'
import { addOembedProvider } from '../site/embeds/providers.ts'
import { hasPublished } from './authors/has-published.ts'
import { CORE_BLOCK_TYPES } from './blocks/core-types.ts'
import { registerBlockType } from './blocks/register.ts'
import { filterShapes as capabilityFilterShapes } from './capabilities/hooks.ts'
import { createContentCapabilities } from './capabilities/index.ts'
import { createComments } from './comments/index.ts'
import { filterShapes as exportFilterShapes } from './export/hooks.ts'
import { filterShapes } from './hooks.ts'
import { withFiles } from './media/delete.ts'
import { createMedia } from './media/index.ts'
import { removeForgotten } from './media/temporary.ts'
import { createLocalFiles, type UploadFiles } from './media/upload-files.ts'
import { createMenus } from './menus/index.ts'
import { guardMeta } from './meta/fields.ts'
import { createMeta } from './meta/index.ts'
import { contentMigrations } from './migrations.ts'
import { createContentWriter, type NoteChange } from './one-writer.ts'
import type { ContentParts } from './parts.ts'
import { createPermalinkHistory } from './permalinks/history.ts'
import { archiveBases, createStructure, permalinksOf } from './permalinks/index.ts'
import { createLink } from './permalinks/link.ts'
import { createPosts } from './posts/index.ts'
import { createReadRows } from './posts/read-rows.ts'
import { createPublicText } from './public-text.ts'
import { createReaders } from './readers.ts'
import { createReadersSearch } from './readers-search.ts'
import { completePostType, completeTaxonomy, createRegistrations } from './registrations.ts'
import { createRender } from './render/index.ts'
import { addShortcode } from './render/shortcodes.ts'
import { createSearchIndex } from './search/index.ts'
import { createSiteSettings } from './site-settings.ts'
import { createCurrentAddresses } from './site-urls.ts'
import { createTerms } from './terms/index.ts'
import type { Content } from './types.ts'
import { createContentVersions } from './versions.ts'

export { seedContent } from './first-content.ts'
export { createPasswordGuesses } from './password-guesses.ts'
export { createPostPreviews } from './post-preview.ts'
export { noteSiteUrl } from './site-urls.ts'

/**
 * Opens the content of a site: migrates its tables and creates the repositories.
 * @param parts.auth - Receives the mapping of capabilities for posts, terms and comments.
 */
export async function createContent(parts: {
  database: SiteDatabase
  hooks: Hooks
  options: Options
  auth: Pick<HostAuth, 'addMetaCapabilities' | 'addUserCondition' | 'can' | 'canWith' | 'users'>
  config: { readonly url: string; readonly adminEmail: string; readonly siteDir: string }
  /** Default: on this machine. */
  files?: UploadFiles | undefined
  /** Default: changes are not noted. */
  noteChange?: NoteChange
  log: Logger
}): Promise<Content> {
  const { database, hooks, options, auth, config, log, files = createLocalFiles(config.siteDir) } = parts
  const { noteChange = async () => {} } = parts
  hooks.declareFilters({ ...filterShapes, ...capabilityFilterShapes, ...exportFilterShapes })
  hooks.addFilter('block_types', (types) => ({ ...CORE_BLOCK_TYPES, ...types }), 1)
  await database.migrate('content', contentMigrations(database.kind))
  await removeForgotten(config.siteDir)

  const settings = createSiteSettings(options, config.adminEmail)
  const structure = createStructure(settings.get)
  const registrations = createRegistrations(() => archiveBases(settings.get(), structure()))
  const { postTypes } = registrations
  const readRows = createReadRows(database.db)
  database.onForeignWrite(readRows.invalidate)
  const versions = createContentVersions(database)
  database.onForeignWrite(versions.noteForeignWrite)
  auth.addMetaCapabilities(createContentCapabilities({ database, hooks, postTypes, readRows, settings: settings.get }))
  auth.addUserCondition(hasPublished)
  const write = createContentWriter(database, 'posts', noteChange, readRows.invalidate)
  const history = createPermalinkHistory({ hooks, options, registrations, settings, structure, write })
  await history.resume()
  const content: ContentParts = {
    database,
    hooks,
    registrations,
    readers: createReaders({ auth, hooks, posts: () => posts, postTypes }),
    readRows,
    publicText: () => publicText,
    search: createSearchIndex(database),
    settings: settings.get,
    structure,
    formerStructures: history.former,
    versions,
    write,
    noteChange,
    siteUrl: config.url,
  }
  const meta = createMeta(content)
  const posts = withFiles(createPosts(content), { ...content, meta, files })
  const media = createMedia({ ...content, posts, meta, files, siteDir: config.siteDir })
  const currentAddresses = createCurrentAddresses(options, config.url)
  const render = createRender({
    ...{ hooks, media, posts, currentAddresses, log },
    siteUrl: config.url,
    readableIn: content.readers.readableIn,
    publicText: content.publicText,
    settings: settings.get,
  })
  const publicText = createPublicText({ hooks, readers: content.readers, render, log })
  const link = createLink({ hooks, settings: settings.get, siteUrl: config.url })

  const terms = createTerms(content)
  const menus = createMenus({
    ...{ posts, terms, meta, hooks, options, registrations, link },
    readers: content.readers,
    renderTitle: render.title,
    currentAddresses,
  })

  return {
    posts,
    terms,
    menus,
    comments: createComments({
      ...content,
      posts,
      write: createContentWriter(database, 'comments', noteChange, readRows.invalidate),
    }),
    media,
    meta,
    postTypes,
    taxonomies: registrations.taxonomies,
    registerPostType(given) {
      const type = completePostType(given)
      const undo = registrations.registerPostType(type)
      hooks.doAction('registered_post_type', type.name, type)
      return once(() => {
        undo()
        hooks.doAction('unregistered_post_type', type.name)
      })
    },
    registerTaxonomy(given) {
      const taxonomy = completeTaxonomy(given)
      const undo = registrations.registerTaxonomy(taxonomy)
      hooks.doAction('registered_taxonomy', taxonomy.name, taxonomy.types, taxonomy)
      return once(() => {
        undo()
        hooks.doAction('unregistered_taxonomy', taxonomy.name)
      })
    },
    registerMeta(kind, key, options = {}) {
      const undo = registrations.metaFields.add(kind, key, options)
      const undoAuth = options.authCallback && guardMeta(hooks, { kind, key, mayWrite: options.authCallback })
      return () => {
        undo()
        undoAuth?.()
      }
    },
    metaFields: registrations.metaFields.of,
    siteSettings: settings.get,
    updateSiteSettings: history.update,
    permalinks: () => permalinksOf(structure()),
    isReadByStatus: () => content.readers.isByStatus(),
    isShownAsStored: (post) =>
      !publicText.mayHide() && !publicText.mayChangeTitles() && (post === undefined || render.isPlain(post)),
    version: () => versions.current('posts'),
    canRead: content.readers.canRead,
    readable: content.readers.readable,
    readableIn: content.readers.readableIn,
    search: createReadersSearch({
      ...{ auth, posts },
      postTypes,
      readable: content.readers.readable,
    }),
    link,
    addShortcode: (...shortcode) => addShortcode(hooks, ...shortcode),
    registerBlockType: (...blockType) => registerBlockType(hooks, ...blockType),
    addOembedProvider: (...provider) => addOembedProvider(hooks, ...provider),
    blockTypes: () => hooks.applyFilters('block_types', {}),
    renderComment: render.comment,
    texturize: render.texturize,
    renderContent: render.content,
    renderExcerpt: render.excerpt,
    getExcerpt: render.plainExcerpt,
    renderBlocks: render.blocks,
    renderTitle: render.title,
    renderText: render.text,
    publicText: publicText.text,
    publicExcerpt: publicText.excerpt,
    publicMarkup: publicText.markup,
    currentAddresses,
  }
}

/** Further calls do nothing. */
function once(undo: Undo): Undo {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    undo()
  }
}
