import type { TestHost } from 'pentad/testing'

/** Paths of all pages that everybody may read: what the site holds, and what a crawler finds by following links. */
export async function publicPaths(site: TestHost): Promise<string[]> {
  const { items } = await site.host.content.posts.query({
    types: ['post', 'page', 'attachment'],
    statuses: ['publish', 'inherit'],
    limit: 1000,
  })
  const months = items.map(({ date }) => `/${date.slice(0, 4)}/${date.slice(5, 7)}/`)
  const seen = new Set(['/', ...items.map(({ path }) => path), ...months])
  const pages: string[] = []
  for (const path of seen) {
    const answer = await site.get(path)
    const html = await answer.text()
    if (answer.status !== 200 || !answer.headers.get('content-type')?.startsWith('text/html')) continue
    pages.push(path)
    for (const [, href = ''] of html.matchAll(/<a [^>]*?href=["']([^"'#]+)/g)) {
      const url = URL.parse(href.replaceAll('&amp;', '&').replaceAll('&#038;', '&'), site.url + path)
      const isPage = url?.origin === site.url && url.search === '' && !/^\/wp-|\/feed\/$/.test(url.pathname)
      if (isPage) seen.add(url.pathname)
    }
  }
  return pages
}
