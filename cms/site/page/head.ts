import type { Hooks } from '../../../core/hooks/types.ts'
import { escapeHtml } from '../../../core/http/escape-html.ts'
import type { Options } from '../../../core/options/types.ts'
import { feedPath, firstPath } from '../../content/permalinks/path.ts'
import { isPublicSite } from '../../content/public-site.ts'
import type { Content } from '../../content/types.ts'
import { plainText } from '../../text/plain-text.ts'
import type { ThemeTexts } from '../theme/texts.ts'
import type { Theme } from '../theme/theme.ts'
import type { PageContext } from '../types.ts'
import type { PageLinks } from './links.ts'
import { documentTitle } from './title.ts'

/** Default output of `<head>` before the `wp_head` action: title, robots, canonical URL, feeds, REST root. */
export function createHead(parts: {
  content: Content
  hooks: Hooks
  options: Options
  links: PageLinks
  origin: string
}) {
  const { content, hooks, options, links, origin } = parts

  function robots(page: PageContext): string {
    const isAboutComment = ['replytocom', 'unapproved'].some((name) => page.request.query.has(name))
    const hidden = page.kind === 'search' || page.status !== 200 || page.preview || page.locked || isAboutComment
    const directives: Record<string, boolean | string> = {
      ...(isPublicSite(options) ? {} : { noindex: true, nofollow: true }),
      ...(hidden ? { noindex: true } : {}),
      'max-image-preview': 'large',
    }
    return Object.entries(hooks.applyFilters('wp_robots', directives, page))
      .filter(([, value]) => value !== false && value !== '')
      .map(([name, value]) => (value === true ? name : `${name}:${value}`))
      .join(', ')
  }

  function canonical(page: PageContext): string | null {
    const has = page.status === 200 && page.kind !== 'search' && !page.preview && page.post?.path !== ''
    return hooks.applyFilters('get_canonical_url', has ? page.url : null, page)
  }

  function feeds(page: PageContext, { __ }: ThemeTexts): [title: string, path: string][] {
    const site = plainText(content.siteSettings().title)
    const list: [string, string][] = [
      [__('%s » Feed', site), '/feed/'],
      [__('%s » Comments Feed', site), '/comments/feed/'],
    ]
    const base = firstPath(page.path)
    if (page.term || page.postType || page.author) list.push([__('%1$s » %2$s Feed', site, page.title), feedPath(base)])
    if (page.search)
      list.push([__('%1$s » %2$s Feed', site, page.title), `/feed/?s=${encodeURIComponent(page.search)}`])
    const { post } = page
    if (
      page.kind === 'single' &&
      post &&
      post.status === 'publish' &&
      post.password === '' &&
      post.commentStatus === 'open'
    )
      list.push([__('%1$s » %2$s Comments Feed', site, page.title), feedPath(base)])
    return list
  }

  return (page: PageContext, theme: Theme): string => {
    const title = hooks.applyFilters('document_title', documentTitle(page, content), page)
    const directives = robots(page)
    const url = canonical(page)
    const lines = [`<title>${escapeHtml(title)}</title>`]
    if (directives) lines.push(`<meta name="robots" content="${escapeHtml(directives)}">`)
    if (url) lines.push(`<link rel="canonical" href="${escapeHtml(url)}">`)
    for (const [name, path] of feeds(page, theme.texts(content.siteSettings().language))) {
      const href = escapeHtml(origin + path)
      lines.push(`<link rel="alternate" type="application/rss+xml" title="${escapeHtml(name)}" href="${href}">`)
    }
    lines.push(...links.head(page))
    lines.push('<meta name="generator" content="Pentad">')
    return `${lines.join('\n')}\n`
  }
}

export type PrintHead = ReturnType<typeof createHead>
