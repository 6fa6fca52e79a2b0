import type { Content } from '../../content/types.ts'
import { plainText } from '../../text/plain-text.ts'
import type { SiteTexts } from '../theme/texts.ts'
import type { PageContext } from '../types.ts'
import { dateTitle } from './archive-date.ts'

/** Heading of the page as plain text; empty on the home page. @param texts those of the theme */
export async function pageTitle(page: PageContext, content: Content, texts: SiteTexts): Promise<string> {
  const { kind, post, term, postType, author, date, search } = page
  if (kind === 'home' && !post) return ''
  if (post) return plainText(content.renderTitle(post))
  if (term) return plainText(content.texturize(term.name))
  if (postType) return postType.label
  if (author) return author.displayName
  if (date) return dateTitle(date, content.siteSettings())
  const { __ } = await texts()
  if (kind === 'search') return search ? __('Search results for “%s”', search) : __('Search')
  if (kind === 'comments') return __('Comments')
  return __('Page not found')
}

/**
 * Text of `<title>` before filters: `About – My site`, `My site – Tagline` on the home page (WordPress's
 * `wp_get_document_title`).
 */
export function documentTitle(page: PageContext, content: Content): string {
  const { title, description } = content.siteSettings()
  const site = plainText(content.texturize(title))
  const isFront = page.kind === 'front-page' || (page.kind === 'home' && !page.post)
  const number = page.pageNumber > 1 && page.status !== 404 ? `Page ${page.pageNumber}` : ''
  const parts = isFront ? [site, number || plainText(content.texturize(description))] : [page.title, number, site]
  return parts.filter((part) => part !== '').join(' – ')
}
