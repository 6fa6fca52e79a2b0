import type { RenderedAnswer } from 'pentad'

/** Bytes; a longer page is answered and not kept. */
const MAX_BODY = 4 * 1024 * 1024
/** Seconds that pages live which nothing could purge in time: those that were not found, and those without tags. */
const SHORT_LIFE = 60
const KEPT_TYPE =
  /^(?:text\/html|text\/markdown|application\/xhtml\+xml|application\/rss\+xml|application\/atom\+xml|application\/xml|text\/xml)\b/i
/** Belong to one answer, or are made anew for each variant. */
const OWN_HEADERS = new Set([
  ...['x-request-id', 'date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'etag'],
  ...['last-modified', 'vary', 'x-cache', 'age', 'accept-ranges'],
])

/** Whether a rendered answer may be kept for everybody, and what of it. */
export function whatToKeep(
  { status, headers, body }: RenderedAnswer,
  hasTags: boolean,
): { headers: [string, string][]; maxAge: number | null } | undefined {
  const value = (name: string) => [headers[name] ?? ''].flat().join(', ')
  const type = value('content-type')
  const vary = value('vary').toLowerCase()
  const isWhole = !/html/i.test(type) || endsWhole(body.toString('latin1'))
  const mayBeKept =
    (status === 200 || status === 404) &&
    KEPT_TYPE.test(type) &&
    body.length > 0 &&
    body.length <= MAX_BODY &&
    headers['set-cookie'] === undefined &&
    headers['content-encoding'] === undefined &&
    headers['content-range'] === undefined &&
    !/(?:^|[\s,])(?:private|no-store|no-cache)(?![\w-])/i.test(value('cache-control')) &&
    /^\s*(?:accept-encoding)?\s*$/.test(vary) &&
    // A nonce is good for one answer; whoever read it in a kept page could run scripts in it.
    !/'nonce-/i.test(value('content-security-policy')) &&
    isWhole
  if (!mayBeKept) return undefined
  const kept = Object.entries(headers)
    .filter(([name]) => !OWN_HEADERS.has(name))
    .flatMap(([name, values]) => [values].flat().map((one): [string, string] => [inTitleCase(name), one]))
  return { headers: kept, maxAge: status === 404 || !hasTags ? SHORT_LIFE : null }
}

/** A blank or a comment, at a place. */
const NOTHING_SHOWN = /[ \t\n\f\r]+|<!--/y

/** Whether nothing but comments follows a `</html>`: a page that was cut off has none. Reads every character once. */
function endsWhole(html: string): boolean {
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

/** `content-type` → `Content-Type`, as the application writes it. */
function inTitleCase(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}
