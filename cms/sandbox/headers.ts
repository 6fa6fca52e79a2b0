/** Headers that a guest may set; those that act on the browser are not among them. */
const HEADERS = /^(?:cache-control|etag|last-modified|link|location|retry-after|content-language|x-wp-[\w-]+)$/i

/**
 * The headers of a guest's response or error that are sent.
 *
 * @param types - Content types that it may set; none by default.
 */
export function allowedHeaders(headers: Readonly<Record<string, unknown>>, types?: RegExp): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): [string, string][] => {
      const text = String(value).slice(0, 4_000)
      const isAllowed = name.toLowerCase() === 'content-type' ? types?.test(text) === true : HEADERS.test(name)
      return isAllowed ? [[name, text]] : []
    }),
  )
}
