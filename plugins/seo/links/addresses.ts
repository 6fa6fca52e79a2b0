/** Characters of an address that count; databases index no longer ones. */
const LONGEST = 500

/**
 * The address of a path by which links are found: decoded, in lower case, with slashes at both ends, as the site answers
 * `/Über/`, `/%C3%9Cber` and `/%c3%bcber/` with one page. `undefined` for a path that can be no page.
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

/** The address of a post whatever its path: what `/?p=7` asks for. */
export function idAddress(postId: number): string {
  return `?${postId}`
}

/**
 * Where on this site a link leads: relative or absolute, over http or https, with or without `www.`; query and fragment
 * do not count, except for `?p=7`.
 *
 * @param from absolute URL of the page with the link
 * @returns `undefined` for a link that leads elsewhere
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
