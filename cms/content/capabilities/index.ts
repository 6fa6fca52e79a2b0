import {
  type CapabilityArgs,
  DENIED,
  type MapCapability,
  type MetaCapabilityResolver,
} from '../../../core/auth/meta-capability-resolver.ts'
import type { Database } from '../../../core/database/index.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { ReadRows } from '../posts/read-rows.ts'
import type { PostType, SiteSettings } from '../types.ts'
import { createContentLookups, type PostRecord } from './content-lookups.ts'
import { mapMetaField } from './meta-field.ts'
import type { PostCapabilityNames } from './post-capability-names.ts'

/** WordPress's result for a post of an unregistered type. */
const UNKNOWN_TYPE: readonly string[] = ['edit_others_posts']

/** Capabilities with these nouns are those of core, even if a type has the same name. */
const CORE_NOUNS = new Set(['post', 'page', 'term', 'comment', 'user'])

const META = /^(?:edit|delete|add)_(post|comment|term)_meta$/

/** A capability on one post, term or comment that is not about its meta. */
const ON_RECORD = /^(?:(edit|delete|read)_(post|page)|(publish)_(post)|(edit|delete|assign)_(term)|(edit)_(comment))$/

/** Maps the capabilities for posts, terms and comments; that part of WordPress's `map_meta_cap`. */
export function createContentCapabilities(parts: {
  database: Database
  readRows: ReadRows
  hooks: Hooks
  postTypes: () => ReadonlyMap<string, Pick<PostType, 'capabilities' | 'capabilityType'>>
  settings: () => Pick<SiteSettings, 'defaultCategory' | 'pageForPosts' | 'pageOnFront'>
}): MetaCapabilityResolver {
  const { hooks, postTypes, settings } = parts
  const lookups = createContentLookups(parts.database, parts.readRows)

  /** `edit_book` → `edit_post`, for every registered type. */
  function asPostCapability(capability: string): string | undefined {
    const [, verb, singular] = capability.match(/^(edit|delete|read)_(.+)$/) ?? []
    if (verb === undefined || singular === undefined || CORE_NOUNS.has(singular)) return undefined
    for (const { capabilityType } of postTypes().values()) if (capabilityType[0] === singular) return `${verb}_post`
    return undefined
  }

  async function wasPublished(post: PostRecord): Promise<boolean> {
    if (post.status !== 'trash') return post.status === 'publish' || post.status === 'future'
    const before = await lookups.statusBeforeTrash(post.id)
    return before === 'publish' || before === 'future'
  }

  /** `edit_post` and `delete_post`: depends on the author and the status. */
  async function change(verb: 'edit' | 'delete', post: PostRecord, of: PostCapabilityNames, userId: number) {
    if (post.author_id > 0 && post.author_id === userId) {
      return [(await wasPublished(post)) ? of[`${verb}_published_posts`] : of[`${verb}_posts`]]
    }
    const needed = [of[`${verb}_others_posts`]]
    if (post.status === 'publish' || post.status === 'future') needed.push(of[`${verb}_published_posts`])
    if (post.status === 'private') needed.push(of[`${verb}_private_posts`])
    return needed
  }

  async function ofPost(verb: string, userId: number, id: number, map: MapCapability): Promise<readonly string[]> {
    const found = await lookups.post(id)
    if (!found) return DENIED
    if (found.type === 'revision' && verb === 'delete') return DENIED
    const post = found.type === 'revision' && verb !== 'publish' ? await lookups.post(found.parent_id) : found
    if (!post) return DENIED
    const isFrontPage = post.id === settings().pageForPosts || post.id === settings().pageOnFront
    if (verb === 'delete' && isFrontPage) return ['manage_options']
    const of = postTypes().get(post.type)?.capabilities
    if (of === undefined) return UNKNOWN_TYPE
    if (verb === 'edit' || verb === 'delete') return change(verb, post, of, userId)
    if (verb === 'publish') return [of.publish_posts]
    return read(post, of, userId, map)
  }

  async function read(post: PostRecord, of: PostCapabilityNames, userId: number, map: MapCapability) {
    const status = await lookups.effectiveStatus(post)
    if (status === 'publish') return [of.read]
    if (post.author_id > 0 && post.author_id === userId) return [of.read]
    return status === 'private' ? [of.read_private_posts] : map('edit_post', userId, [post.id])
  }

  async function ofTerm(verb: string, id: number): Promise<readonly string[]> {
    const term = await lookups.term(id)
    if (!term) return DENIED
    const isDefault = term.taxonomy === 'category' && term.id === settings().defaultCategory
    if (verb === 'delete' && isDefault) return DENIED
    return [verb === 'assign' ? 'edit_posts' : 'manage_categories']
  }

  async function ofComment(userId: number, id: number, map: MapCapability): Promise<readonly string[]> {
    const comment = await lookups.comment(id)
    return comment ? map('edit_post', userId, [comment.post_id]) : DENIED
  }

  function ofMeta(
    kind: 'post' | 'term' | 'comment',
    capability: string,
    userId: number,
    args: CapabilityArgs,
    map: MapCapability,
  ): Promise<readonly string[]> {
    return mapMetaField(capability, args, {
      exists: (id) => lookups.exists(kind, id),
      edit: (id) => map(`edit_${kind}`, userId, [id]),
      isAllowed(isOpen, metaKey, id, needed) {
        const name: `auth_${typeof kind}_meta_${string}` = `auth_${kind}_meta_${metaKey}`
        return hooks.applyFilters(name, isOpen, metaKey, id, userId, capability, needed)
      },
    })
  }

  return {
    nameOf: (capability) =>
      asPostCapability(capability) ?? (META.test(capability) || ON_RECORD.test(capability) ? capability : undefined),
    map(capability, userId, args, map) {
      const [, kind] = capability.match(META) ?? []
      if (kind === 'post' || kind === 'term' || kind === 'comment') return ofMeta(kind, capability, userId, args, map)
      const [verb = '', noun] = capability.split('_')
      const [id] = args
      if (typeof id !== 'number') return DENIED
      if (noun === 'term') return ofTerm(verb, id)
      return noun === 'comment' ? ofComment(userId, id, map) : ofPost(verb, userId, id, map)
    },
    mapAfterFilter(needed, capability, userId, [id]) {
      if (capability !== 'read_post' || typeof id !== 'number' || !hooks.hasFilter('read_post_caps')) return needed
      return hooks.applyFiltersAsync('read_post_caps', needed, id, userId)
    },
  }
}
