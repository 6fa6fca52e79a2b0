import type { Undo } from '../hooks/types.ts'
import { createMetaFields, type MetaFields } from './meta/fields.ts'
import type { ArchiveBases } from './permalinks/types.ts'
import type { NewPostType, NewTaxonomy, PostType, Taxonomy } from './types.ts'

/** The post types and taxonomies of a site: core's, and what extensions add while it runs. */
export interface Registrations {
  postTypes(): ReadonlyMap<string, PostType>
  taxonomies(): ReadonlyMap<string, Taxonomy>
  readonly metaFields: MetaFields
  registerPostType(type: PostType): Undo
  registerTaxonomy(taxonomy: Taxonomy): Undo
}

/** A type with everything that its registration leaves out. @throws Error if the name or its route can't be one */
export function completePostType(type: NewPostType): PostType {
  const { name, label = name, singularLabel = label, public: isPublic = true } = type
  const complete = postType({ ...type, name, label, singularLabel, restBase: type.restBase ?? null })
  if (type.restBase === undefined && isPublic) return checked({ ...complete, restBase: name })
  return checked(complete)
}

/** A taxonomy with everything that its registration leaves out. @throws Error if the name or its route can't be one */
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
    throw new Error(`"${item.name}" is not a name for content: up to 32 of a-z, 0-9, _ and -.`)
  if (item.restBase !== null && !/^[a-z0-9_-]+$/i.test(item.restBase))
    throw new Error(`"${item.restBase}" can't be the last part of a route.`)
  return item
}

const postType = (type: Partial<PostType> & Pick<PostType, 'name' | 'label' | 'singularLabel'>): PostType => ({
  hierarchical: false,
  public: true,
  hasArchive: false,
  restBase: null,
  taxonomies: [],
  supports: ['title', 'editor', 'author', 'thumbnail', 'revisions', 'custom-fields', 'comments'],
  capabilityType: ['post', 'posts'],
  description: '',
  ...type,
})

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
    ...{ public: false, taxonomies: ['nav_menu'], supports: ['title'] },
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
    metaFields: createMetaFields(),
    registerPostType: types.add,
    registerTaxonomy: taxonomies.add,
  }
}

/**
 * Puts each taxonomy's archives where WordPress has them (`create_initial_taxonomies`): a base that the settings name is
 * the whole path, every other one comes behind the front of the permalink structure.
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
    const placed = new Map<string, Taxonomy>()
    for (const [name, taxonomy] of taxonomies) {
      const base = Object.hasOwn(own, name) ? own[name] : ''
      placed.set(name, { ...taxonomy, rewriteSlug: base || `${front}${taxonomy.rewriteSlug}`.slice(1) })
    }
    known = { taxonomies, bases, placed }
    return placed
  }
}

/**
 * A later registration of a name hides an earlier one until it is undone: while an extension reloads,
 * its old and its new version are both registered.
 */
function createLayers<Item extends { readonly name: string }>(own: readonly Item[]) {
  const layers: Item[] = [...own]
  let map: ReadonlyMap<string, Item> = new Map()
  const rebuild = () => {
    map = new Map(layers.map((item) => [item.name, item]))
  }
  rebuild()
  return {
    current: () => map,
    add(item: Item): Undo {
      const layer = { ...item }
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
