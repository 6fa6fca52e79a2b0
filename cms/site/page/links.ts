import { escapeHtml } from '../../../core/http/escape-html.ts'
import type { Rest } from '../../../core/rest/types.ts'
import type { Content } from '../../content/types.ts'
import type { PageContext } from '../types.ts'

/** Links for API clients, in headers and head. */
export interface PageLinks {
  /** Value of the `Link` header (RFC 8288), as in WordPress. */
  header(page: PageContext): string
  /** Elements for `<head>`. */
  head(page: PageContext): string[]
}

/** Links to the REST root, and to the REST, oEmbed and short URL of the page. */
export function createPageLinks({
  content,
  rest,
  origin,
}: {
  content: Content
  rest: Rest
  origin: string
}): PageLinks {
  /** The REST route of the content of the page. */
  function restUrl({ post, term, author, kind }: PageContext): string | undefined {
    if (post && kind !== 'home') return itemUrl(content.postTypes().get(post.type)?.restBase, post.id)
    if (term) return itemUrl(content.taxonomies().get(term.taxonomy)?.restBase, term.id)
    return author && itemUrl('users', author.id)
  }

  function itemUrl(base: string | null | undefined, id: number): string | undefined {
    return base ? rest.url(`/wp/v2/${base}/${id}`) : undefined
  }

  function shortLink({ post, kind }: PageContext): string | undefined {
    if (!post || kind === 'home') return undefined
    return kind === 'front-page' ? `${origin}/` : `${origin}/?p=${post.id}`
  }

  const isShown = (page: PageContext) => page.status === 200 && !page.preview

  return {
    header(page) {
      const links = [`<${rest.url('/')}>; rel="https://api.w.org/"`]
      const item = isShown(page) ? restUrl(page) : undefined
      const short = isShown(page) ? shortLink(page) : undefined
      if (item) links.push(`<${item}>; rel="alternate"; title="JSON"; type="application/json"`)
      if (short) links.push(`<${short}>; rel=shortlink`)
      return links.join(', ')
    },
    head(page) {
      const link = (rel: string, href: string, more = '') => `<link rel="${rel}"${more} href="${escapeHtml(href)}">`
      const lines = [link('https://api.w.org/', rest.url('/'))]
      if (!isShown(page)) return lines
      const item = restUrl(page)
      const short = shortLink(page)
      if (item) lines.push(link('alternate', item, ' title="JSON" type="application/json"'))
      if (short) lines.push(link('shortlink', short))
      if (page.post && short && (page.post.status === 'publish' || page.post.status === 'inherit')) {
        const embed = `${rest.url('/oembed/1.0/embed')}?url=${encodeURIComponent(content.link(page.post))}`
        lines.push(link('alternate', embed, ' title="oEmbed (JSON)" type="application/json+oembed"'))
        lines.push(link('alternate', `${embed}&format=xml`, ' title="oEmbed (XML)" type="text/xml+oembed"'))
      }
      return lines
    },
  }
}
