import { z } from 'zod'
import { readOnlyMap } from '../../core/hooks/read-only.ts'
import type { Undo } from '../../core/hooks/types.ts'
import { freezeDeeply } from '../../core/options/json.ts'
import { postCapabilityNames } from './capabilities/post-capability-names.ts'
import { createMetaFields, type MetaFields } from './meta/fields.ts'
import type { ArchiveBases } from './permalinks/types.ts'
import { FORMAT_TAXONOMY } from './post-formats.ts'
import type { NewPostType, NewTaxonomy, PostType, Taxonomy } from './types.ts'

/** The post types and taxonomies of a site: core's, and what extensions add while it runs. */
export interface Registrations {
  postTypes(): ReadonlyMap<string, PostType>
  taxonomies(): ReadonlyMap<string, Taxonomy>
  readonly metaFields: MetaFields
  registerPostType(type: PostType): Undo
  registerTaxonomy(taxonomy: Taxonomy): Undo
}

/** A post type with defaults for everything that its registration omits. @throws Error if the name or its route can't be one */
export function completePostType(type: NewPostType): PostType {
  const { name, label = name, singularLabel = label, public: isPublic = true } = type
  const complete = postType({ ...type, name, label, singularLabel, restBase: type.restBase ?? null })
  if (type.restBase === undefined && isPublic) return checked({ ...complete, restBase: name })
  return checked(complete)
}

/** A taxonomy with defaults for everything that its registration omits. @throws Error if the name or its route can't be one */
export function completeTaxonomy(taxonomy: NewTaxonomy): Taxonomy {
  const { name, label = name, singularLabel = label, public: isPublic = true } = taxonomy
  return checked({
    ...{ hierarchical: false, types: [], rewriteSlug: name, description: '', restBase: isPublic ? name : null },
    ...taxonomy,
    ...{ label, singularLabel, public: isPublic },
  })
}

/** WordPress's `register_post_type` takes 20 characters, `register_taxonomy` 32. */
function checked<Item extends { readonly name: string; readonly restBase: string | null }>(item: Item): Item {
  if (!/^[a-z0-9_-]{1,32}$/.test(item.name))
    throw new Error(`"${item.name}" is not a valid name. Use 1 to 32 characters: a-z, 0-9, _, and -.`)
  if (item.restBase !== null && !/^[a-z0-9_-]+$/i.test(item.restBase))
    throw new Error(`"${item.restBase}" can't be the last part of a route.`)
  return item
}

function postType(type: NewPostType & Pick<PostType, 'label' | 'singularLabel'>): PostType {
  const { capabilityType = ['post', 'posts'], capabilities } = type
  return {
    hierarchical: false,
    public: true,
    hasArchive: false,
    restBase: null,
    taxonomies: [],
    supports: ['title', 'editor', 'author', 'thumbnail', 'revisions', 'custom-fields', 'comments'],
    description: '',
    labels: {},
    ...type,
    capabilityType,
    capabilities: postCapabilityNames(capabilityType, capabilities),
  }
}

/** Capabilities of types that only theme editors can change, and everyone can read once published. */
const OF_THEME = {
  edit_posts: 'edit_theme_options',
  edit_others_posts: 'edit_theme_options',
  delete_posts: 'edit_theme_options',
  publish_posts: 'edit_theme_options',
  read_private_posts: 'edit_theme_options',
  delete_private_posts: 'edit_theme_options',
  delete_published_posts: 'edit_theme_options',
  delete_others_posts: 'edit_theme_options',
  edit_private_posts: 'edit_theme_options',
  edit_published_posts: 'edit_theme_options',
} as const

/** The same for types that only theme editors can read. */
const CLOSED_OF_THEME = { ...OF_THEME, read: 'edit_theme_options' } as const

const POST_TYPES: readonly PostType[] = [
  postType({
    name: 'post',
    label: 'Posts',
    singularLabel: 'Post',
    restBase: 'posts',
    taxonomies: ['category', 'post_tag'],
    supports: [
      'title',
      'editor',
      'author',
      'thumbnail',
      'excerpt',
      'trackbacks',
      'custom-fields',
      'comments',
      'revisions',
      'post-formats',
    ],
  }),
  postType({
    name: 'page',
    label: 'Pages',
    singularLabel: 'Page',
    hierarchical: true,
    restBase: 'pages',
    supports: ['title', 'editor', 'author', 'thumbnail', 'page-attributes', 'custom-fields', 'comments', 'revisions'],
    capabilityType: ['page', 'pages'],
  }),
  postType({
    name: 'attachment',
    label: 'Media',
    singularLabel: 'Media',
    restBase: 'media',
    supports: ['title', 'author', 'comments'],
  }),
  postType({ name: 'revision', label: 'Revisions', singularLabel: 'Revision', public: false, supports: ['author'] }),
  postType({
    ...{ name: 'nav_menu_item', label: 'Navigation Menu Items', singularLabel: 'Navigation Menu Item' },
    ...{ public: false, taxonomies: ['nav_menu'], supports: ['title', 'editor'], capabilities: OF_THEME },
  }),
  // Patterns included in posts (`core/block`). As in WordPress, their raw form is for editors only.
  postType({
    ...{ name: 'wp_block', label: 'Patterns', singularLabel: 'Pattern', public: false, restBase: 'blocks' },
    taxonomies: ['wp_pattern_category'],
    supports: ['title', 'excerpt', 'editor', 'revisions', 'custom-fields'],
    capabilityType: ['block', 'posts'],
    capabilities: { read: 'edit_posts', create_posts: 'publish_posts' },
  }),
  postType({
    ...{ name: 'wp_navigation', label: 'Navigation Menus', singularLabel: 'Navigation Menu', restBase: 'navigation' },
    ...{ public: false, supports: ['title', 'editor', 'revisions'], capabilities: OF_THEME },
    description: 'Navigation menus that can be inserted into your site.',
  }),
  // Themes have none, but editors request the types and find their routes through them.
  postType({
    ...{ name: 'wp_template', label: 'Templates', singularLabel: 'Template', public: false },
    ...{ supports: ['title', 'slug', 'excerpt', 'editor', 'revisions', 'author'], capabilities: CLOSED_OF_THEME },
    description: 'Templates to include in your theme.',
  }),
  postType({
    ...{ name: 'wp_template_part', label: 'Template Parts', singularLabel: 'Template Part', public: false },
    ...{ supports: ['title', 'slug', 'excerpt', 'editor', 'revisions', 'author'], capabilities: CLOSED_OF_THEME },
    description: 'Template parts to include in your templates.',
  }),
]

const TAXONOMIES: readonly Taxonomy[] = [
  {
    name: 'category',
    label: 'Categories',
    singularLabel: 'Category',
    hierarchical: true,
    public: true,
    restBase: 'categories',
    types: ['post'],
    rewriteSlug: 'category',
    description: '',
  },
  {
    name: 'post_tag',
    label: 'Tags',
    singularLabel: 'Tag',
    hierarchical: false,
    public: true,
    restBase: 'tags',
    types: ['post'],
    rewriteSlug: 'tag',
    description: '',
  },
  // In REST, posts have a separate field for it.
  {
    name: FORMAT_TAXONOMY,
    label: 'Formats',
    singularLabel: 'Format',
    hierarchical: false,
    public: true,
    restBase: null,
    types: ['post'],
    rewriteSlug: 'type',
    description: '',
  },
  {
    name: 'nav_menu',
    label: 'Navigation Menus',
    singularLabel: 'Navigation Menu',
    hierarchical: false,
    public: false,
    restBase: null,
    types: ['nav_menu_item'],
    rewriteSlug: 'nav_menu',
    description: '',
  },
  {
    name: 'wp_pattern_category',
    label: 'Pattern Categories',
    singularLabel: 'Pattern Category',
    hierarchical: false,
    public: false,
    restBase: 'wp_pattern_category',
    types: ['wp_block'],
    rewriteSlug: 'wp_pattern_category',
    description: '',
  },
]

/**
 * Starts with WordPress's own types and taxonomies.
 * @param bases what decides where archives are, now
 */
export function createRegistrations(bases: () => ArchiveBases): Registrations {
  const types = createLayers(POST_TYPES)
  const taxonomies = createLayers(TAXONOMIES)
  const atBases = createPlacing()
  return {
    postTypes: types.current,
    taxonomies: () => atBases(taxonomies.current(), bases()),
    metaFields: coreMetaFields(),
    registerPostType: types.add,
    registerTaxonomy: taxonomies.add,
  }
}

/** The meta keys of core's own types. */
function coreMetaFields(): MetaFields {
  const fields = createMetaFields()
  fields.add('post', 'wp_pattern_sync_status', {
    ...{ single: true, showInRest: true, objectSubtype: 'wp_block' },
    schema: z.enum(['', 'partial', 'unsynced']),
  })
  // Preferences of the block editor; WordPress's `wp_register_persisted_preferences_meta`.
  fields.add('user', 'persisted_preferences', {
    ...{ type: 'object', single: true, showInRest: true, contexts: ['edit'] },
  })
  return fields
}

/**
 * Determines the paths of taxonomy archives like WordPress (`create_initial_taxonomies`): a base from the settings is the complete path;
 * others follow the front of the permalink structure.
 */
function createPlacing() {
  let known:
    | { taxonomies: ReadonlyMap<string, Taxonomy>; bases: string; placed: ReadonlyMap<string, Taxonomy> }
    | undefined
  return (taxonomies: ReadonlyMap<string, Taxonomy>, { front, category, tag }: ArchiveBases) => {
    if (front === '/' && category === '' && tag === '') return taxonomies
    const bases = JSON.stringify([front, category, tag])
    if (known?.taxonomies === taxonomies && known.bases === bases) return known.placed
    const own: Readonly<Record<string, string>> = { category, post_tag: tag }
    const moved = new Map<string, Taxonomy>()
    for (const [name, taxonomy] of taxonomies) {
      const base = Object.hasOwn(own, name) ? own[name] : ''
      const rewriteSlug = base || `${front}${taxonomy.rewriteSlug}`.slice(1)
      moved.set(name, Object.freeze({ ...taxonomy, rewriteSlug }))
    }
    const placed = readOnlyMap(moved)
    known = { taxonomies, bases, placed }
    return placed
  }
}

/**
 * A later registration of a name hides an earlier one until it is undone: while an extension reloads,
 * its old and its new version are both registered.
 */
function createLayers<Item extends { readonly name: string }>(own: readonly Item[]) {
  const layers: Item[] = own.map((item) => freezeDeeply({ ...item }))
  let map: ReadonlyMap<string, Item> = new Map()
  const rebuild = () => {
    map = readOnlyMap(layers.map((item) => [item.name, item]))
  }
  rebuild()
  return {
    current: () => map,
    add(item: Item): Undo {
      const layer = freezeDeeply({ ...item })
      layers.push(layer)
      rebuild()
      return () => {
        const index = layers.indexOf(layer)
        if (index < 0) return
        layers.splice(index, 1)
        rebuild()
      }
    },
  }
}
