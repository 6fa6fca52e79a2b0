import type { RenderedResponse } from 'pentad'

/** Largest cacheable body, in bytes. */
const MAX_BODY = 4 * 1024 * 1024
/** Lifetime in seconds of pages that cannot be purged precisely: 404 pages and pages without tags. */
const SHORT_LIFE = 60
const CACHEABLE_TYPE =
  /^(?:text\/html|text\/markdown|application\/xhtml\+xml|application\/rss\+xml|application\/atom\+xml|application\/xml|text\/xml)\b/i
/** Headers specific to one response, or generated for each variant. */
const OWN_HEADERS = new Set([
  ...['x-request-id', 'date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'etag'],
  ...['last-modified', 'vary', 'x-cache', 'age', 'accept-ranges'],
])

/** The cacheable headers and lifetime of a rendered response; `undefined` if it must not be cached. */
export function cacheableParts(
  { status, headers, body }: RenderedResponse,
  hasTags: boolean,
): { headers: [string, string][]; maxAge: number | null } | undefined {
  const value = (name: string) => [headers[name] ?? ''].flat().join(', ')
  const type = value('content-type')
  const vary = value('vary').toLowerCase()
  const isComplete = !/html/i.test(type) || endsComplete(body.toString('latin1'))
  const isCacheable =
    (status === 200 || status === 404) &&
    CACHEABLE_TYPE.test(type) &&
    body.length > 0 &&
    body.length <= MAX_BODY &&
    headers['set-cookie'] === undefined &&
    headers['content-encoding'] === undefined &&
    headers['content-range'] === undefined &&
    !/(?:^|[\s,])(?:private|no-store|no-cache)(?![\w-])/i.test(value('cache-control')) &&
    /^\s*(?:accept-encoding)?\s*$/.test(vary) &&
    // A nonce is valid for one response only; in a cached page it could be reused to run scripts.
    !/'nonce-/i.test(value('content-security-policy')) &&
    isComplete
  if (!isCacheable) return undefined
  const ownHeaders = Object.entries(headers)
    .filter(([name]) => !OWN_HEADERS.has(name))
    .flatMap(([name, values]) => [values].flat().map((one): [string, string] => [inTitleCase(name), one]))
  return { headers: ownHeaders, maxAge: status === 404 || !hasTags ? SHORT_LIFE : null }
}

/** Whitespace or the start of a comment. */
const NOTHING_SHOWN = /[ \t\n\f\r]+|<!--/y

/** Whether only whitespace and comments follow `</html>`; a truncated page has none. Linear time. */
function endsComplete(html: string): boolean {
  const root = /<\/html>/gi
  while (root.exec(html)) {
    let at = root.lastIndex
    for (;;) {
      NOTHING_SHOWN.lastIndex = at
      const [found] = NOTHING_SHOWN.exec(html) ?? []
      if (at === html.length) return true
      if (found === undefined) break
      at = found === '<!--' ? html.indexOf('-->', at + 4) + 3 : at + found.length
      if (at === 2) return false
    }
    root.lastIndex = at
  }
  return false
}

/** `content-type` → `Content-Type`. */
function inTitleCase(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}
