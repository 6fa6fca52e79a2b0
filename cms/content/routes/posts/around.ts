import type { RestRequest } from '../../../../core/rest/types.ts'
import { shownIn } from '../../meta/fields.ts'
import type { Content, Meta, Post, PostType, Taxonomy } from '../../types.ts'
import { wantedFields } from '../fields.ts'
import { formatsOf } from './format.ts'
import { actionsOf } from './links.ts'
import { PATTERN, SYNC_STATUS } from './patterns.ts'
import type { AroundPosts, Asked } from './types.ts'

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
