import type { RestRequest } from '../../../../core/rest/types.ts'
import { shownIn } from '../../meta/fields.ts'
import type { Content, MediaDetails, Meta, MetaField, Post, PostType, Taxonomy } from '../../types.ts'
import { type Context, type Wants, wantedFields } from '../fields.ts'
import { formatsOf } from './format.ts'
import { actionsOf } from './links.ts'
import { PATTERN, SYNC_STATUS } from './patterns.ts'

/** How posts were asked for. */
export interface Asked {
  readonly context: Context
  readonly password: string | undefined
}

/** What is needed beside the posts of one answer; looked up for all of them together, and only if it is shown. */
export interface AroundPosts {
  readonly asked: Asked
  readonly wants: Wants
  readonly content: Content
  /** Term ids of each post by taxonomy. */
  readonly terms: ReadonlyMap<number, Readonly<Record<string, readonly number[]>>>
  readonly revisions: ReadonlyMap<number, { count: number; latestId: number }>
  readonly media: ReadonlyMap<number, MediaDetails>
  readonly actions: readonly string[]
  /** Formats of those posts that have one. */
  readonly formats: ReadonlyMap<number, string>
  /** Declared meta that REST shows. */
  readonly metaFields: readonly MetaField[]
  readonly metas: ReadonlyMap<number, Meta>
  /** Id of the post's featured image; 0 without one. */
  featuredId(post: Post): number
}

export async function lookAround(
  posts: readonly Post[],
  request: RestRequest,
  {
    type,
    taxonomies,
    content,
    asked,
  }: {
    type: PostType
    taxonomies: readonly Taxonomy[]
    content: Content
    asked: Asked
  },
): Promise<AroundPosts> {
  const wants = wantedFields(request.query)
  const ids = posts.map((post) => post.id)
  const showsLinks = wants('_links')
  const isFull = asked.context !== 'embed'
  const showsTerms = isFull && taxonomies.some(({ restBase }) => restBase !== null && wants(restBase))
  const showsFeatured = type.supports.includes('thumbnail') && (wants('featured_media') || showsLinks)
  const isMedia = type.name === 'attachment'
  const metaFields = shownIn(content.metaFields('post', type.name), isFull ? asked.context : 'view')
  const showsMeta =
    metaFields.length > 0 && ((isFull && wants('meta')) || (type.name === PATTERN && wants(SYNC_STATUS)))
  const showsFormat = isFull && type.name === 'post' && wants('format')
  const terms = showsTerms || showsFormat ? await content.terms.ofPosts(ids) : new Map()
  const metas: ReadonlyMap<number, Meta> = showsFeatured || showsMeta ? await content.meta.of('post', ids) : new Map()
  return {
    asked,
    wants,
    content,
    terms,
    formats: showsFormat ? await formatsOf(content, terms) : new Map(),
    metaFields,
    metas,
    revisions: showsLinks && type.supports.includes('revisions') ? await content.posts.revisions(ids) : new Map(),
    media: isMedia ? await content.media.details(posts) : new Map(),
    actions: showsLinks && asked.context === 'edit' ? await actionsOf(request, { type, taxonomies }) : [],
    featuredId(post) {
      const id = Number(metas.get(post.id)?._thumbnail_id?.[0] ?? 0)
      return Number.isInteger(id) && id > 0 ? id : 0
    },
  }
}
