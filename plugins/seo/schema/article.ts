import { type ExtensionHost, type PageContext, type Post, plainText, toLanguage, type User } from 'pentad'
import type { PageHead } from '../head/page-head.ts'
import type { SeoSettings } from '../settings.ts'
import { datesOf, isPageType, pageId } from './page.ts'
import { ARTICLE_TYPES } from './settings.ts'
import { publisherId } from './site.ts'
import type { SchemaThing } from './types.ts'

/** Maximum length of a headline; Google truncates longer ones. */
const LONGEST_HEADLINE = 110

/** The article type of a post: its own or the default; `undefined` if it is not an article. */
export function articleTypeOf(post: Post, { fields }: PageHead, settings: SeoSettings): string | undefined {
  const own = ARTICLE_TYPES.find((type) => type === fields.schemaType)
  if (own !== undefined || isPageType(fields.schemaType) || fields.schemaType.toLowerCase() === 'none') return own
  return post.type === 'post' ? settings.articleSchemaType : undefined
}

/** The author of a post. */
export function authorThing({ content, site }: Pick<ExtensionHost, 'content' | 'site'>, author: User): SchemaThing {
  const url = site.url + content.permalinks().author(author.slug)
  return {
    '@type': 'Person',
    '@id': `${url}#person`,
    name: author.displayName || author.slug,
    url,
    description: plainText(author.description) || undefined,
    sameAs: /^https?:\/\//i.test(author.url) && URL.canParse(author.url) ? [author.url] : undefined,
  }
}

/** The article that a page shows. */
export function articleThing(
  { content, site }: Pick<ExtensionHost, 'content' | 'site'>,
  page: PageContext,
  parts: { post: Post; type: string; head: PageHead; author: SchemaThing | undefined; image: string | undefined },
): SchemaThing {
  const { post, type, head, author, image } = parts
  const { category: sections = [], post_tag: tags = [] } = head.terms
  page.addTags(...[...sections, ...tags].map(({ id }) => `term-${id}`))
  const names = (terms: readonly { name: string }[]) =>
    terms.length > 0 ? terms.map(({ name }) => plainText(name)) : undefined
  return {
    '@type': type,
    '@id': `${page.url}#article`,
    isPartOf: { '@id': pageId(page) },
    mainEntityOfPage: { '@id': pageId(page) },
    headline: headlineOf(page.title || head.title),
    description: head.description || undefined,
    ...datesOf(post),
    author: author ?? { '@id': publisherId(site.url) },
    publisher: { '@id': publisherId(site.url) },
    image: image === undefined ? undefined : { '@id': image },
    articleSection: names(sections),
    keywords: names(tags),
    inLanguage: toLanguage(content.siteSettings().language),
  }
}

function headlineOf(title: string): string {
  const letters = [...title]
  return letters.length <= LONGEST_HEADLINE
    ? title
    : `${letters
        .slice(0, LONGEST_HEADLINE - 1)
        .join('')
        .trimEnd()}…`
}
