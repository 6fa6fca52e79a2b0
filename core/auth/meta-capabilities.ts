import type { Database } from '../database/index.ts'
import type { Hooks, Undo } from '../hooks/types.ts'
import { isJsonRecord } from '../options/json.ts'
import type { Options } from '../options/types.ts'
import { type PostCapabilityNames, postCapabilityNames } from './post-capability-names.ts'
import { createRecords, type PostRecord } from './records.ts'

type Args = readonly (number | string)[]
type CapabilityType = readonly [singular: string, plural: string]
type Registration = readonly [postType: string, singular: string, capabilities: PostCapabilityNames]

const REFUSED: readonly string[] = ['do_not_allow']
/** A post of a type that nobody registered: WordPress's answer. */
const UNKNOWN_TYPE: readonly string[] = ['edit_others_posts']

/** Types that are always there; attachments and revisions ask for what posts ask. */
const CORE_TYPES: readonly Registration[] = [
  ['post', 'post', postCapabilityNames(['post', 'posts'])],
  ['page', 'page', postCapabilityNames(['page', 'pages'])],
  ['attachment', 'post', postCapabilityNames(['post', 'posts'])],
  ['revision', 'post', postCapabilityNames(['post', 'posts'])],
]

/** Capabilities that simply mean another one. */
const SAME_AS: Readonly<Record<string, string>> = {
  promote_user: 'promote_users',
  add_users: 'promote_users',
  remove_user: 'remove_users',
  delete_user: 'delete_users',
  edit_css: 'unfiltered_html',
  upload_plugins: 'install_plugins',
  upload_themes: 'install_themes',
  update_languages: 'install_languages',
  activate_plugin: 'activate_plugins',
  deactivate_plugin: 'activate_plugins',
  deactivate_plugins: 'activate_plugins',
  resume_plugin: 'resume_plugins',
  resume_theme: 'resume_themes',
  customize: 'edit_theme_options',
  manage_post_tags: 'manage_categories',
  edit_categories: 'manage_categories',
  edit_post_tags: 'manage_categories',
  delete_categories: 'manage_categories',
  delete_post_tags: 'manage_categories',
  assign_categories: 'edit_posts',
  assign_post_tags: 'edit_posts',
  setup_network: 'manage_options',
  update_php: 'update_core',
  export_others_personal_data: 'manage_options',
  erase_others_personal_data: 'manage_options',
  manage_privacy_options: 'manage_options',
  // Not possible here, whatever the role says: WordPress's constants that allow them are off by default.
  unfiltered_upload: 'do_not_allow',
  manage_links: 'do_not_allow',
  delete_site: 'do_not_allow',
}

/** Their capabilities have a meaning of their own, whatever a type is called. */
const CORE_NOUNS = new Set(['post', 'page', 'term', 'comment', 'user'])

const META = /^(edit|delete|add)_(post|comment|term|user)_meta$/

const EDIT_USER = new Set([
  'create_app_password',
  'list_app_passwords',
  'read_app_password',
  'edit_app_password',
  'delete_app_passwords',
  'delete_app_password',
])

export interface MetaCapabilities {
  /** Primitive capabilities that the user needs, every one of them. */
  map(capability: string, userId: number, args: Args): Promise<readonly string[]>
  /** As `map`, of a capability that is about no particular post, term, comment or user. */
  mapGeneral(capability: string, userId: number): readonly string[]
  addCapabilityType(postType: string, capabilityType: CapabilityType, own?: Partial<PostCapabilityNames>): Undo
}

/** WordPress's `map_meta_cap` for a single site: what a capability on one post, term, comment or user asks for. */
export function createMetaCapabilities(parts: {
  database: Database
  hooks: Hooks
  options: Options
}): MetaCapabilities {
  const { hooks, options } = parts
  const records = createRecords(parts.database)
  let registrations = CORE_TYPES
  let capabilitiesOf = byType(registrations)

  /** `edit_book` → `edit_post`, for every registered type. */
  function asPostCapability(capability: string): string | undefined {
    const [, verb, singular] = capability.match(/^(edit|delete|read)_(.+)$/) ?? []
    if (verb === undefined || singular === undefined || CORE_NOUNS.has(singular)) return undefined
    return registrations.some(([, name]) => name === singular) ? `${verb}_post` : undefined
  }

  /** A number of the record that the site's own settings are kept in. */
  function siteSetting(name: string): number {
    const settings = options.get('site_settings')
    return isJsonRecord(settings) ? Number(settings[name]) : 0
  }

  async function wasPublished(post: PostRecord): Promise<boolean> {
    if (post.status !== 'trash') return post.status === 'publish' || post.status === 'future'
    const before = await records.statusBeforeTrash(post.id)
    return before === 'publish' || before === 'future'
  }

  /** `edit_post` and `delete_post`: own or others', and what the status adds. */
  async function change(verb: 'edit' | 'delete', post: PostRecord, of: PostCapabilityNames, userId: number) {
    if (post.author_id > 0 && post.author_id === userId) {
      return [(await wasPublished(post)) ? of[`${verb}_published_posts`] : of[`${verb}_posts`]]
    }
    const needed = [of[`${verb}_others_posts`]]
    if (post.status === 'publish' || post.status === 'future') needed.push(of[`${verb}_published_posts`])
    if (post.status === 'private') needed.push(of[`${verb}_private_posts`])
    return needed
  }

  async function ofPost(verb: string, userId: number, id: number): Promise<readonly string[]> {
    const found = await records.post(id)
    if (!found) return REFUSED
    if (found.type === 'revision' && verb === 'delete') return REFUSED
    const post = found.type === 'revision' && verb !== 'publish' ? await records.post(found.parent_id) : found
    if (!post) return REFUSED
    const isFrontPage = post.id === siteSetting('pageForPosts') || post.id === siteSetting('pageOnFront')
    if (verb === 'delete' && isFrontPage) return ['manage_options']
    const of = capabilitiesOf.get(post.type)
    if (of === undefined) return UNKNOWN_TYPE
    if (verb === 'edit' || verb === 'delete') return change(verb, post, of, userId)
    if (verb === 'publish') return [of.publish_posts]
    return read(post, of, userId)
  }

  async function read(post: PostRecord, of: PostCapabilityNames, userId: number): Promise<readonly string[]> {
    const status = await records.effectiveStatus(post)
    if (status === 'publish') return [of.read]
    if (post.author_id > 0 && post.author_id === userId) return [of.read]
    return status === 'private' ? [of.read_private_posts] : map('edit_post', userId, [post.id])
  }

  async function ofTerm(verb: string, id: number): Promise<readonly string[]> {
    const term = await records.term(id)
    if (!term) return REFUSED
    const isDefault = term.taxonomy === 'category' && term.id === siteSetting('defaultCategory')
    if (verb === 'delete' && isDefault) return REFUSED
    return [verb === 'assign' ? 'edit_posts' : 'manage_categories']
  }

  async function ofComment(userId: number, id: number): Promise<readonly string[]> {
    const comment = await records.comment(id)
    return comment ? map('edit_post', userId, [comment.post_id]) : REFUSED
  }

  async function ofMeta(capability: string, userId: number, args: Args): Promise<readonly string[]> {
    const kind = capability.split('_')[1]
    const [id, metaKey] = args
    if (kind !== 'post' && kind !== 'term' && kind !== 'comment' && kind !== 'user') return REFUSED
    if (typeof id !== 'number' || !(await records.exists(kind, id))) return REFUSED
    const needed = await map(`edit_${kind}`, userId, [id])
    if (typeof metaKey !== 'string') return needed
    const name: `auth_${typeof kind}_meta_${string}` = `auth_${kind}_meta_${metaKey}`
    const allowed = hooks.applyFilters(name, !metaKey.startsWith('_'), metaKey, id, userId, capability, needed)
    return allowed ? needed : [...needed, capability]
  }

  /** What a capability asks for that is about a record; `undefined` for any other one. */
  function aboutRecord(capability: string, userId: number, args: Args): (() => Promise<readonly string[]>) | undefined {
    const [id] = args
    if (META.test(capability)) return () => ofMeta(capability, userId, args)
    const [, verb = '', noun] = capability.match(/^(edit|delete|read|publish|assign)_(post|page|term|comment)$/) ?? []
    if (noun === 'post' || (noun === 'page' && verb !== 'publish')) {
      return async () => (typeof id === 'number' ? ofPost(verb, userId, id) : REFUSED)
    }
    if (noun === 'term' && verb !== 'read' && verb !== 'publish') {
      return async () => (typeof id === 'number' ? ofTerm(verb, id) : REFUSED)
    }
    if (capability !== 'edit_comment') return undefined
    return async () => (typeof id === 'number' ? ofComment(userId, id) : REFUSED)
  }

  function general(capability: string, userId: number, args: Args): readonly string[] {
    const [id] = args
    if (EDIT_USER.has(capability)) return filtered(general('edit_user', userId, args), 'edit_user', userId, args)
    if (capability === 'edit_user' || capability === 'edit_users') {
      if (userId < 1) return REFUSED
      return capability === 'edit_user' && id === userId ? [] : ['edit_users']
    }
    if (capability === 'update_https') return ['manage_options', 'update_core']
    return [(Object.hasOwn(SAME_AS, capability) ? SAME_AS[capability] : undefined) ?? capability]
  }

  async function map(capability: string, userId: number, args: Args): Promise<readonly string[]> {
    const alias = asPostCapability(capability)
    if (alias !== undefined) return map(alias, userId, args)
    const ask = aboutRecord(capability, userId, args)
    const needed = filtered(ask ? await ask() : general(capability, userId, args), capability, userId, args)
    const [id] = args
    if (capability !== 'read_post' || typeof id !== 'number' || !hooks.hasFilter('read_post_caps')) return needed
    return hooks.applyFiltersAsync('read_post_caps', needed, id, userId)
  }

  function filtered(needed: readonly string[], capability: string, userId: number, args: Args): readonly string[] {
    return hooks.applyFilters('map_meta_cap', needed, capability, userId, args)
  }

  return {
    map,
    mapGeneral(capability, userId) {
      const asked = asPostCapability(capability) ?? capability
      return filtered(aboutRecord(asked, userId, []) ? REFUSED : general(asked, userId, []), asked, userId, [])
    },
    addCapabilityType(postType, capabilityType, own) {
      const registration = [postType, capabilityType[0], postCapabilityNames(capabilityType, own)] as const
      const use = (next: typeof registrations) => {
        registrations = next
        capabilitiesOf = byType(next)
      }
      use([...registrations, registration])
      return () => use(registrations.filter((other) => other !== registration))
    },
  }
}

function byType(registrations: readonly Registration[]): ReadonlyMap<string, PostCapabilityNames> {
  return new Map(registrations.map(([postType, , capabilities]) => [postType, capabilities]))
}
