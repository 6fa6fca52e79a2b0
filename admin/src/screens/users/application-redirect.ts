/** Schemes that run code or show content of this browser, rather than open an application. */
const DANGEROUS = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'filesystem:'])
const LOOPBACK = new Set(['127.0.0.1', '[::1]'])

/**
 * Whether an application may receive its password at this URL: one of its own scheme, or one whose traffic cannot be intercepted
 * (WordPress's `wp_is_authorize_application_redirect_url_valid`).
 */
export function isAllowedRedirect(text: string): boolean {
  const url = URL.parse(text)
  if (!url || DANGEROUS.has(url.protocol)) return false
  if (url.protocol === 'http:') return LOOPBACK.has(url.hostname)
  // "scheme:" alone opens nothing.
  return url.hostname !== '' || url.pathname !== ''
}

/** The URL with parameters added: that with which an application receives its password. Applications may not decode `+`. */
export function withParameters(text: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(text)
  const added = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  url.search = [...(url.search ? [url.search.slice(1)] : []), ...added].join('&')
  return url.href
}

/** Where a URL leads, for people: the host of a website, or the scheme of an application. */
export function placeOf(text: string): string {
  const { protocol, host } = URL.parse(text) ?? { protocol: text, host: '' }
  return /^https?:$/.test(protocol) ? host : `${protocol}${host && `//${host}`}`
}
