import type { Content, MediaDetails, Meta, Post } from '../../content/types.ts'
import type { PageDataCache } from './page-data-cache.ts'
import type { FindRelatedData, RelatedData } from './related-data.ts'

/** A public attachment. */
export interface PublicAttachment {
  readonly post: Post
  /** `undefined` if its file is missing. */
  readonly details: MediaDetails | undefined
}

/**
 * Data that pages show, as visitors see it, for code that runs for each page. The theme and all services share it, and it
 * is read again after the site has changed: after a change by another process within a second.
 */
export interface PageData {
  /** Author, terms, meta and featured image of a post. */
  ofPost(id: number): Promise<RelatedData>
  /** Meta of a term. */
  ofTerm(id: number): Promise<Meta>
  /** An attachment that everyone can read; `undefined` for anything else. */
  attachment(id: number): Promise<PublicAttachment | undefined>
}

export function createPageData(parts: {
  content: Content
  pageData: PageDataCache
  relatedData: FindRelatedData
}): PageData {
  const { content, pageData, relatedData } = parts

  const metaOfTerm = pageData.remember(async (id): Promise<Meta> => {
    return (await content.meta.of('term', [Number(id)])).get(Number(id)) ?? {}
  })

  const attachment = pageData.remember(async (id): Promise<PublicAttachment | undefined> => {
    const post = await content.posts.get(Number(id))
    if (post?.type !== 'attachment' || !(await content.canRead(post, null))) return undefined
    return { post, details: (await content.media.details([post])).get(post.id) }
  })

  return {
    ofPost: async (id) => (await relatedData([id]))(id),
    ofTerm: (id) => metaOfTerm(String(id)),
    attachment: async (id) => (Number.isSafeInteger(id) && id > 0 ? attachment(String(id)) : undefined),
  }
}
