import { isObject } from '../../core/schema/convert.ts'

/** Fetches one link: a path relative to the REST root, with its query string. */
export type FetchLink = (route: string) => Promise<unknown>

/** Parses `_embed`: `true` for every embeddable link, or the requested relations; `null` if it was not requested. */
export function parseEmbed(value: unknown): true | ReadonlySet<string> | null {
  if (value === undefined) return null
  const names = (Array.isArray(value) ? value : [value])
    .filter((item) => typeof item === 'string')
    .flatMap((item) => item.split(/[\s,]+/))
    .filter((name) => name !== '')
  if (names.length === 0 || names.includes('1') || names.includes('true')) return true
  return new Set(names)
}

/**
 * Adds the targets of the embeddable `_links` of an object, or of each object in a list, as `_embedded`, like
 * WordPress's `embed_links`. Each link is fetched once per response, however often it occurs; links to other
 * origins are ignored.
 *
 * @param root URL of the REST root, without a trailing slash.
 */
export async function embedLinks(
  body: unknown,
  wanted: true | ReadonlySet<string>,
  root: string,
  fetchLink: FetchLink,
): Promise<unknown> {
  const fetched = new Map<string, Promise<unknown>>()
  const fetchOnce = (href: string): Promise<unknown> => {
    const route = withContext(href.slice(root.length))
    let response = fetched.get(route)
    if (!response) {
      response = fetchLink(route)
      fetched.set(route, response)
    }
    return response
  }
  const embed = async (item: unknown): Promise<unknown> => {
    if (!isObject(item) || !isObject(item._links)) return item
    const embedded: Record<string, unknown[]> = {}
    for (const [relation, links] of Object.entries(item._links)) {
      if (!Array.isArray(links) || (wanted !== true && !wanted.has(relation))) continue
      const hrefs = links.map((link) => embeddableHref(link, root))
      if (hrefs.every((href) => href === null)) continue
      // An empty list in place of a failed embed preserves the positions, as in WordPress.
      const found: unknown[] = []
      for (const href of hrefs) found.push(href === null ? [] : await fetchOnce(href))
      // Empty relations are omitted: a post without comments has no `replies`.
      if (!found.every(isEmpty)) embedded[relation] = found
    }
    return Object.keys(embedded).length > 0 ? { ...item, _embedded: embedded } : item
  }
  if (!Array.isArray(body)) return embed(body)
  const items: unknown[] = []
  for (const item of body) items.push(await embed(item))
  return items
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) ? Object.keys(value).length === 0 : !value
}

function embeddableHref(link: unknown, root: string): string | null {
  if (!isObject(link) || link.embeddable !== true || typeof link.href !== 'string') return null
  return link.href.startsWith(`${root}/`) ? link.href : null
}

function withContext(route: string): string {
  if (/[?&]context=/.test(route)) return route
  return `${route}${route.includes('?') ? '&' : '?'}context=embed`
}
