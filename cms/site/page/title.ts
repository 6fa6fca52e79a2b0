import type { Content } from '../../content/types.ts'
import { plainText } from '../../text/plain-text.ts'
import type { ThemeTexts } from '../theme/texts.ts'
import type { PageContext } from '../types.ts'
import { dateTitle } from './archive-date.ts'

/** Heading of the page as plain text; empty on the home page. @param texts those of the theme */
export function pageTitle(page: PageContext, content: Content, { __ }: ThemeTexts): string {
  const { kind, post, term, postType, author, date, search } = page
  if (kind === 'home' && !post) return ''
  if (post) return plainText(content.renderTitle(post))
  if (term) return plainText(content.texturize(term.name))
  if (postType) return postType.label
  if (author) return author.displayName
  if (date) return dateTitle(date, content.siteSettings())
  if (kind === 'search') return search ? __('Search results for “%s”', search) : __('Search')
  if (kind === 'comments') return __('Comments')
  return __('Page not found')
}

/** `Page 2`; empty on the first page. @param texts those of the theme */
export function pageLabel({ pageNumber, status }: PageContext, { __ }: ThemeTexts): string {
  return pageNumber > 1 && status !== 404 ? __('Page %s', pageNumber) : ''
}

/**
 * Text of `<title>` before filters: `About – My site`, `My site – Tagline` on the home page (WordPress's
 * `wp_get_document_title`).
 */
export function documentTitle(page: PageContext, content: Content): string {
  const { title, description } = content.siteSettings()
  const site = plainText(content.texturize(title))
  const isFront = page.kind === 'front-page' || (page.kind === 'home' && !page.post)
  const parts = isFront
    ? [site, page.pageLabel || plainText(content.texturize(description))]
    : [page.title, page.pageLabel, site]
  return parts.filter((part) => part !== '').join(' – ')
}
