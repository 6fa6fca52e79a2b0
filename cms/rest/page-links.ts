/** Bytes of a `Link` header: proxies and clients refuse answers whose headers are longer than 8 to 16 KiB. */
const MAX_LINKS = 4096

/**
 * The `Link` header of WordPress's lists: `rel="prev"` and `rel="next"`, each with the query of the request and its own
 * `page`; `undefined` if there is neither, or if the query is too long to be repeated in a header.
 *
 * @param url the route's address without a query, from `rest.url`.
 */
export function pageLinks(url: string, query: URLSearchParams, page: number, pages: number): string | undefined {
  const links: string[] = []
  const link = (to: number, relation: string) => {
    const own = new URLSearchParams(query)
    own.delete('rest_route')
    own.set('page', String(to))
    // `_embed` without a value stays without one.
    links.push(`<${url}?${own.toString().replace(/=(?=&|$)/g, '')}>; rel="${relation}"`)
  }
  if (page > 1) link(Math.min(page - 1, pages), 'prev')
  if (page < pages) link(page + 1, 'next')
  const header = links.join(', ')
  return header !== '' && header.length <= MAX_LINKS ? header : undefined
}
