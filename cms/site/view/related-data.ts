import type { Auth, User } from '../../../core/auth/types.ts'
import type { PostPreview } from '../../content/post-preview.ts'
import { picturesOf } from '../../content/profile-pictures.ts'
import type { Content, MediaDetails, Meta, Post, Term } from '../../content/types.ts'
import { currentPage } from '../current-page.ts'
import type { PageDataCache } from './page-data-cache.ts'

/** Related data of a post: author, terms, meta, featured image. */
export interface RelatedData {
  readonly author: User | undefined
  /** Public taxonomies only. */
  readonly terms: Readonly<Record<string, readonly Term[]>>
  readonly meta: Meta
  /** The featured image. */
  readonly image: MediaDetails | undefined
  /** The profile picture of the author. */
  readonly picture: MediaDetails | undefined
  /** Cache tags. */
  readonly pageTags: readonly string[]
}

const NOTHING: RelatedData = {
  author: undefined,
  terms: {},
  meta: {},
  image: undefined,
  picture: undefined,
  pageTags: [],
}

/** Related data of posts by ID, with a constant number of queries. */
export function createRelatedData(parts: { content: Content; auth: Auth; pageData: PageDataCache }) {
  const { content, auth, pageData } = parts

  const find = pageData.remember(async (key) => {
    const ids = key.split(',').map(Number)
    const [posts, termIds, meta] = await Promise.all([
      content.posts.getMany(ids),
      content.terms.ofPosts(ids),
      content.meta.of('post', ids),
    ])
    const pictureIds = new Map(ids.map((id) => [id, Number(meta.get(id)?._thumbnail_id?.[0] ?? 0)]))
    const wanted = [...pictureIds.values()].filter((id) => Number.isSafeInteger(id) && id > 0)
    const authorIds = [...new Set([...posts.values()].map((post) => post.authorId))]
    const [authors, profiles, terms, pictures] = await Promise.all([
      auth.users.getMany(authorIds),
      content.meta.of('user', authorIds),
      content.terms.getMany([
        ...new Set([...termIds.values()].flatMap((byTaxonomy) => Object.values(byTaxonomy).flat())),
      ]),
      wanted.length > 0 ? content.posts.getMany(wanted) : new Map<number, never>(),
    ])
    const shownBy = new Map<number, Post>()
    for (const post of posts.values()) {
      const picture = pictures.get(pictureIds.get(post.id) ?? 0)
      const [shown] = picture ? await content.readableIn([picture], post) : []
      if (shown) shownBy.set(post.id, shown)
    }
    const portraits = await picturesOf(content, profiles)
    const details = pictures.size > 0 ? await content.media.details([...pictures.values()]) : new Map<number, never>()

    return new Map(
      [...posts.values()].map((post): [number, RelatedData] => {
        const shown = publicTerms(termIds.get(post.id) ?? {}, terms)
        const pictureId = pictureIds.get(post.id) ?? 0
        const image = shownBy.has(post.id) ? details.get(pictureId) : undefined
        const portrait = portraits.get(post.authorId)
        const pageTags = [
          `author-${post.authorId}`,
          ...Object.values(shown).flatMap((ofTaxonomy) => ofTaxonomy.map(({ id }) => `term-${id}`)),
          ...(image ? [`post-${pictureId}`] : []),
          ...(portrait ? [`post-${portrait.id}`] : []),
        ]
        const ofPost = {
          author: authors.get(post.authorId),
          terms: shown,
          meta: meta.get(post.id) ?? {},
          picture: portrait?.details,
        }
        return [post.id, { ...ofPost, image, pageTags }]
      }),
    )
  })

  /** The terms of a post in public taxonomies, in alphabetical order; without terms of another taxonomy, as saving drops them. */
  function publicTerms(
    ids: Readonly<Record<string, readonly number[]>>,
    terms: ReadonlyMap<number, Term>,
  ): Record<string, Term[]> {
    const shown = Object.entries(ids).filter(([taxonomy]) => content.taxonomies().get(taxonomy)?.public)
    const inOrder = (taxonomy: string, some: readonly number[]) =>
      some
        .flatMap((id) => terms.get(id) ?? [])
        .filter((term) => term.taxonomy === taxonomy)
        .sort((a, b) => a.name.localeCompare(b.name))
    return Object.fromEntries(shown.map(([taxonomy, some]) => [taxonomy, inOrder(taxonomy, some)]))
  }

  /** What a preview shows; never stored in the cache, which all pages share. */
  async function withUnsaved(stored: RelatedData, unsaved: PostPreview): Promise<RelatedData> {
    const { post, meta, terms: termIds } = unsaved
    const [author, profiles, picture, terms] = await Promise.all([
      auth.users.get(post.authorId),
      content.meta.of('user', [post.authorId]),
      meta._thumbnail_id ? content.posts.get(Number(meta._thumbnail_id[0] ?? 0)) : undefined,
      content.terms.getMany(Object.values(termIds).flat()),
    ])
    const [shown] = picture ? await content.readableIn([picture], post) : []
    const image = shown && (await content.media.details([shown])).get(shown.id)
    return {
      ...stored,
      author,
      picture: (await picturesOf(content, profiles)).get(post.authorId)?.details,
      image: meta._thumbnail_id ? image : stored.image,
      terms: { ...stored.terms, ...publicTerms(termIds, terms) },
      meta: { ...stored.meta, ...meta },
    }
  }

  return async (ids: readonly number[]): Promise<(id: number) => RelatedData> => {
    const found = ids.length > 0 ? await find(ids.join(',')) : new Map<number, RelatedData>()
    const unsaved = currentPage()?.unsaved
    const stored = unsaved && found.get(unsaved.post.id)
    const previewed = unsaved && stored && (await withUnsaved(stored, unsaved))
    return (id) => (previewed && id === unsaved?.post.id ? previewed : (found.get(id) ?? NOTHING))
  }
}

export type FindRelatedData = ReturnType<typeof createRelatedData>
