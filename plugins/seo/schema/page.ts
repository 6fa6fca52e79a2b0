import { type ExtensionHost, type PageContext, toLanguage } from 'pentad'
import type { PageHead } from '../head/page-head.ts'
import { isHome } from '../head/subject.ts'
import { publisherId, websiteId } from './site.ts'
import type { SchemaThing } from './types.ts'

/** Page types that a post can select: those without required properties that only the author knows. */
const PAGE_TYPES: ReadonlySet<string> = new Set([
  ...['WebPage', 'AboutPage', 'ContactPage', 'CollectionPage', 'ItemPage', 'CheckoutPage', 'SearchResultsPage'],
])

export const pageId = (page: PageContext) => `${page.url}#webpage`

/** Whether the type that a post selects is a page type. */
export function isPageType(type: string): boolean {
  return PAGE_TYPES.has(type)
}

/**
 * The page itself.
 * @param parts.image `@id` of its image
 * @param parts.breadcrumb `@id` of its breadcrumb trail
 * @param parts.author author of an author archive
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

/** Dates of publication and modification; an import may contain a modification before publication. */
export function datesOf({ dateGmt, modifiedGmt }: { dateGmt: string; modifiedGmt: string }) {
  return { datePublished: `${dateGmt}Z`, dateModified: `${modifiedGmt > dateGmt ? modifiedGmt : dateGmt}Z` }
}
