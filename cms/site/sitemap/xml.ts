import { escapeHtml } from '../../../core/http/escape-html.ts'

/** A page, or a sitemap in an index. */
export interface SitemapEntry {
  /** Absolute URL. */
  readonly url: string
  /** UTC, `YYYY-MM-DDTHH:MM:SS`. */
  readonly modifiedGmt?: string | undefined
}

/** A sitemap or a sitemap index (https://www.sitemaps.org/protocol.html). */
export function writeSitemap(kind: 'urlset' | 'sitemapindex', entries: readonly SitemapEntry[]): string {
  const element = kind === 'urlset' ? 'url' : 'sitemap'
  const lines = entries.map(({ url, modifiedGmt }) => {
    const modified = modifiedGmt === undefined ? '' : `<lastmod>${modifiedGmt}Z</lastmod>`
    return `<${element}><loc>${escapeHtml(url)}</loc>${modified}</${element}>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<${kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${lines.join('')}</${kind}>
`
}
