/**
 * A decoded part of a path as WordPress stores slugs (`sanitize_title`): lowercase, with non-ASCII characters
 * percent-encoded in lowercase. `Über` → `%c3%bcber`.
 */
export function encodeSlug(decoded: string): string {
  return encodeURIComponent(decoded.normalize('NFC').toLowerCase()).toLowerCase()
}

/**
 * The decoded parts of a request's path without empty ones, or `undefined` for a path that cannot exist on this site:
 * broken percent-encoding, `.` and `..`, and encoded slashes, backslashes or control characters.
 */
export function splitPath(path: string): string[] | undefined {
  const parts: string[] = []
  for (const raw of path.split('/')) {
    if (raw === '') continue
    let part: string
    try {
      part = decodeURIComponent(raw)
    } catch {
      return undefined
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    if (part === '.' || part === '..' || /[/\\\u0000-\u001f\u007f]/.test(part)) return undefined
    parts.push(part)
  }
  return parts
}

/** Joins decoded parts into a canonical path with leading and trailing slashes. */
export function joinPath(parts: readonly string[]): string {
  return parts.length === 0 ? '/' : `/${parts.map(encodeSlug).join('/')}/`
}

/** Whether two paths differ only in the case of their percent-encoding (RFC 3986, 6.2.2.1). */
export function samePath(a: string, b: string): boolean {
  const lower = (path: string) => path.replace(/%[0-9A-F]{2}/gi, (code) => code.toLowerCase())
  return a === b || lower(a) === lower(b)
}

/** Path or URL of the feed of a page: `/slug/feed/`, `/?feed=rss2&p=7`. */
export function feedPath(path: string): string {
  return path.includes('?') ? path.replace('?', '?feed=rss2&') : path.replace(/\/?$/, '/feed/')
}

/** Path of another page of a list: `/blog/page/2/`, `/?page_id=7&paged=2`. */
export function pagedPath(path: string, number: number): string {
  if (number <= 1) return path
  return path.includes('?') ? `${path}&paged=${number}` : path.replace(/\/?$/, `/page/${number}/`)
}

/** Path of the first page of the list that a page belongs to. */
export function firstPath(path: string): string {
  return path.replace(/(?<=\/)page\/\d+\/$|&paged=\d+$/, '')
}
