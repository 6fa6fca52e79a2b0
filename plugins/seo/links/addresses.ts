/** Maximum length of an indexed URL; databases do not index longer ones. */
const LONGEST = 500

/**
 * Normalizes a path for link lookups: decoded, lower case, with slashes at both ends, because `/Über/`, `/%C3%9Cber`
 * and `/%c3%bcber/` are the same page. `undefined` for a path that cannot be a page.
 */
export function toAddress(path: string): string | undefined {
  const parts: string[] = []
  for (const raw of path.split('/')) {
    if (raw === '') continue
    try {
      parts.push(decodeURIComponent(raw).normalize('NFC').toLowerCase())
    } catch {
      return undefined
    }
  }
  if (parts[0] === 'index.php') parts.shift()
  const address = parts.length === 0 ? '/' : `/${parts.join('/')}/`
  return /\p{Cc}/u.test(address) ? undefined : address.slice(0, LONGEST)
}

/** The ID-based URL of a post: `/?p=7`. */
export function idAddress(postId: number): string {
  return `?${postId}`
}

/**
 * The page on this site that a link points to: relative or absolute, http or https, with or without `www.`; query and
 * fragment are ignored, except `?p=7`.
 * @param from absolute URL of the page with the link
 * @returns `undefined` for external links
 */
export function linkAddress(href: string, from: string, siteUrl: string): string | undefined {
  const url = URL.parse(href.trim(), from)
  if (url === null || !/^https?:$/.test(url.protocol) || hostOf(url) !== hostOf(new URL(siteUrl))) return undefined
  const path = toAddress(url.pathname)
  if (path !== '/') return path
  const asked = ['p', 'page_id', 'attachment_id'].map((name) => url.searchParams.get(name)).find((value) => value)
  return asked && /^[1-9]\d{0,8}$/.test(asked) ? idAddress(Number(asked)) : path
}

function hostOf({ host }: URL): string {
  return host.replace(/^www\./, '')
}
