/** Maximum size of a `Link` header, in bytes: proxies and clients reject responses with more than 8 to 16 KiB of headers. */
const MAX_LINKS = 4096

/**
 * The pagination `Link` header of WordPress: `rel="prev"` and `rel="next"`, each with the query string of the request and its own
 * `page`. `undefined` if there is neither, or if the query string is too long for a header.
 *
 * @param url URL of the route without a query string, from `rest.url`.
 */
export function pageLinks(url: string, query: URLSearchParams, page: number, pages: number): string | undefined {
  const links: string[] = []
  const link = (to: number, relation: string) => {
    const own = new URLSearchParams(query)
    own.delete('rest_route')
    own.set('page', String(to))
    // `_embed` without a value must stay without one.
    links.push(`<${url}?${own.toString().replace(/=(?=&|$)/g, '')}>; rel="${relation}"`)
  }
  if (page > 1) link(Math.min(page - 1, pages), 'prev')
  if (page < pages) link(page + 1, 'next')
  const header = links.join(', ')
  return header !== '' && header.length <= MAX_LINKS ? header : undefined
}
