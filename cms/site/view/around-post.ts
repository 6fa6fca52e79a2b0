import { descriptionHtml } from '../../content/render/comment.ts'
import type { Content, Post, Term } from '../../content/types.ts'
import { plainText } from '../../text/plain-text.ts'
import { withoutOrigin } from '../text.ts'
import { formatDate } from '../theme/date-format.ts'
import type { ThemeTexts } from '../theme/texts.ts'
import type { PageContext } from '../types.ts'
import { DEEPEST } from './ancestors.ts'
import { type TemplateImage, toImage, toPortrait } from './image.ts'
import type { PageDataCache } from './page-data-cache.ts'
import type { PostNames } from './post-names.ts'
import type { FindRelatedData, RelatedData } from './related-data.ts'

/** A related post, as a card. */
export interface TemplateCard {
  readonly titleHtml: string
  readonly url: string
  readonly date: string
  readonly datetime: string
  readonly image: TemplateImage | undefined
}

/** The author of a post, with biographical information. */
export interface TemplateAuthor {
  readonly name: string
  readonly url: string
  readonly descriptionHtml: string
  readonly picture: TemplateImage | undefined
}

/** A step of the breadcrumbs. */
export interface TemplateCrumb {
  readonly title: string
  readonly url: string
}

/** Number of related posts. */
const RELATED = 3

/** Elements around a post that the owner turns on: author box, related posts, breadcrumbs. */
export function createAroundPost(parts: {
  content: Content
  pageData: PageDataCache
  relatedData: FindRelatedData
  names: PostNames
  origin: string
}) {
  const { content, pageData, relatedData, names, origin } = parts

  /** The newest posts of a category, or of all if it is 0; one more than are shown. */
  const newestOf = pageData.remember(async (categoryId) => {
    const { items } = await content.posts.query({
      types: ['post'],
      ...(categoryId === '0' ? {} : { terms: { category: { ids: [Number(categoryId)] } } }),
      orderBy: 'date',
      order: 'desc',
      hasPassword: false,
      noFoundRows: true,
      limit: RELATED + 1,
    })
    return items
  })

  const termOf = pageData.remember(async (id) => (id === '0' ? undefined : content.terms.get(Number(id))))

  return {
    /** Other posts of the first category, newest first; then the newest of all, so that the row is full. */
    async related(post: Post, { terms }: RelatedData, page: PageContext): Promise<TemplateCard[]> {
      const [category] = terms.category ?? []
      if (!category) return []
      // Even without related posts: the next post of the category is one.
      page.addTags(`archive-term-${category.id}`)
      const othersOf = async (categoryId: number) =>
        (await content.readable(await newestOf(String(categoryId)), page.user)).filter(({ id }) => id !== post.id)
      let others = await othersOf(category.id)
      if (others.length < RELATED) {
        page.addTags('archive-type-post')
        const known = new Set(others.map(({ id }) => id))
        others = [...others, ...(await othersOf(0)).filter(({ id }) => !known.has(id))]
      }
      others = others.slice(0, RELATED)
      if (others.length === 0) return []
      const dataOf = await relatedData(others.map(({ id }) => id))
      const settings = content.siteSettings()
      const named = names(others)
      return others.map((other, at) => {
        const { image, pageTags } = dataOf(other.id)
        page.addTags(`post-${other.id}`, ...pageTags)
        return {
          titleHtml: named[at]?.titleHtml ?? '',
          url: named[at]?.url ?? '',
          date: formatDate(other.date, settings.dateFormat, settings),
          datetime: `${other.dateGmt}Z`,
          image: image && toImage(image, ['medium_large', 'large', 'full'], '(max-width: 40rem) 100vw, 22rem'),
        }
      })
    },

    /** `undefined` without biographical information. */
    author({ author, picture }: RelatedData): TemplateAuthor | undefined {
      if (!author || author.description.trim() === '') return undefined
      return {
        name: author.displayName,
        url: content.permalinks().author(author.slug),
        descriptionHtml: content.texturize(descriptionHtml(content.currentAddresses(author.description))),
        picture: picture && toPortrait(picture),
      }
    },

    /** From the homepage to the category of a post, or to the parent of a page, with everything above them. */
    async breadcrumbs(
      { terms }: RelatedData,
      ancestors: readonly { titleHtml: string; url: string }[],
      page: PageContext,
      { __ }: ThemeTexts,
    ): Promise<TemplateCrumb[]> {
      const home = { title: __('Home'), url: '/' }
      if (ancestors.length > 0)
        return [home, ...ancestors.map(({ titleHtml, url }) => ({ title: plainText(titleHtml), url }))]
      const [category] = terms.category ?? []
      const above: Term[] = []
      for (let term = category; term && above.length < DEEPEST; term = await termOf(String(term.parentId))) {
        page.addTags(`term-${term.id}`)
        above.unshift(term)
      }
      return [
        home,
        ...above.map((term) => ({ title: plainText(term.name), url: withoutOrigin(content.link(term), origin) })),
      ]
    },
  }
}
