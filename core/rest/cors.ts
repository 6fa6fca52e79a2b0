/** Response headers that scripts of other origins may read, and request headers that they may send; as in WordPress. */
export const EXPOSED_HEADERS = 'X-WP-Total, X-WP-TotalPages, Link'
export const ALLOWED_HEADERS = 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type'
const ALLOWED_METHODS = 'OPTIONS, GET, POST, PUT, PATCH, DELETE'

/**
 * CORS headers for a request with an `Origin`. As in WordPress, every origin may read; unlike in WordPress, credentials
 * (cookies) are allowed only for the site's own origin and the configured ones. `Origin: null` (a sandboxed frame, a local
 * file, a cross-site redirect) identifies no origin and gets no headers.
 */
export function corsHeaders(
  origin: string | undefined,
  siteUrl: string,
  listed: () => readonly string[],
): Readonly<Record<string, string>> | null {
  if (origin === undefined || !isOrigin(origin)) return null
  const known = origin === new URL(siteUrl).origin || listed().some((entry) => entry.replace(/\/+$/, '') === origin)
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': ALLOWED_METHODS,
    ...(known ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
  }
}

/** An origin (RFC 6454) other than `null`: scheme, host and port. */
function isOrigin(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/i.test(text)
}
