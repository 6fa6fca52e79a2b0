import { type ExtensionHost, type PageContext, plainText, toLanguage } from 'pentad'
import { excerptOf, shortened } from './excerpt.ts'
import { siteName } from './site-name.ts'

/**
 * The default description of a page: the start of its content, or the titles in a list. Never empty, so that every page
 * has its own description.
 */
export async function defaultDescription(
  host: Pick<ExtensionHost, 'content' | 'site'>,
  page: Pick<PageContext, 'kind' | 'title' | 'post' | 'locked' | 'pageLabel' | 'posts'>,
): Promise<string> {
  const { content } = host
  const { description, language } = content.siteSettings()
  const site = siteName(host)
  if (page.post && !page.locked && page.kind !== 'home') {
    const excerpt = await excerptOf(host, page.post)
    if (excerpt !== '') return excerpt
  }
  const own = [page.title, page.pageLabel].filter((part) => part !== '')
  if (page.post && page.kind !== 'home') return [...own, site].join(' – ')
  const listed = page.posts.map((post) => plainText(content.renderTitle(post))).filter((text) => text !== '')
  const about = own.length > 0 ? own.join(' – ') : plainText(description) || site
  return shortened(
    listed.length > 0 ? `${about}: ${listed.join(' · ')}` : [about, site].join(' – '),
    toLanguage(language),
  )
}
