import { type ExtensionHost, type PageContext, toLanguage } from 'pentad'
import type { PageHead } from '../head/page-head.ts'
import { isHome } from '../head/subject.ts'
import { publisherId, websiteId } from './site.ts'
import type { SchemaThing } from './types.ts'

/** Kinds of pages that a post may name as its own: those that need nothing that only its author would know. */
const PAGE_TYPES: ReadonlySet<string> = new Set([
  ...['WebPage', 'AboutPage', 'ContactPage', 'CollectionPage', 'ItemPage', 'CheckoutPage', 'SearchResultsPage'],
])

export const pageId = (page: PageContext) => `${page.url}#webpage`

/** Whether the type that a post names is one of a page. */
export function isPageType(type: string): boolean {
  return PAGE_TYPES.has(type)
}

/**
 * The page itself.
 * @param parts.image `@id` of the image that stands for it
 * @param parts.breadcrumb `@id` of the way to it
 * @param parts.author of the archive of an author
 */
export function pageThing(
  { content, site }: Pick<ExtensionHost, 'content' | 'site'>,
  page: PageContext,
  parts: { head: PageHead; image: string | undefined; breadcrumb: string | undefined; author: SchemaThing | undefined },
): SchemaThing {
  const { head, image, breadcrumb, author } = parts
  const { post } = page
  const named = (id: string | undefined) => (id === undefined ? undefined : { '@id': id })
  return {
    '@type': isPageType(head.fields.schemaType) ? head.fields.schemaType : usualType(page),
    '@id': pageId(page),
    url: page.url,
    name: head.title,
    description: head.description || undefined,
    isPartOf: { '@id': websiteId(site.url) },
    about: isHome(page) ? { '@id': publisherId(site.url) } : undefined,
    inLanguage: toLanguage(content.siteSettings().language),
    ...(post && page.kind !== 'home' ? datesOf(post) : {}),
    primaryImageOfPage: named(image),
    breadcrumb: named(breadcrumb),
    mainEntity: author,
  }
}

function usualType({ kind }: PageContext): string {
  switch (kind) {
    case 'author':
      return 'ProfilePage'
    case 'search':
      return 'SearchResultsPage'
    case 'front-page':
    case 'single':
    case 'page':
    case 'attachment':
      return 'WebPage'
    default:
      return 'CollectionPage'
  }
}

/** When a post was published and changed; an import may say that it was changed before. */
export function datesOf({ dateGmt, modifiedGmt }: { dateGmt: string; modifiedGmt: string }) {
  return { datePublished: `${dateGmt}Z`, dateModified: `${modifiedGmt > dateGmt ? modifiedGmt : dateGmt}Z` }
}
