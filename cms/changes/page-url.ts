/** Whitespace, control characters and characters that a server may treat as a slash. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are rejected
const IMPROPER = /[\u0000-\u0020\u007f\\]|%(?:0[\da-f]|1[\da-f]|7f|2f|5c)/i
/** `.` and `..`, encoded or not. */
const DOTS = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i
const LONGEST = 2048

/**
 * The absolute URL, without query and fragment, of a page of this site; `undefined` for anything else.
 * @param given an absolute URL of this site, http or https, or a path from its root
 */
export function readPageUrl(given: string, siteUrl: string): string | undefined {
  if (given.length > LONGEST || IMPROPER.test(given)) return undefined
  const isPath = given.startsWith('/') && !given.startsWith('//')
  if (!isPath && !/^https?:\/\/[^/]/i.test(given)) return undefined
  const [beforeQuery = ''] = given.split(/[?#]/, 1)
  if (DOTS.test(beforeQuery)) return undefined
  const url = URL.parse(given, siteUrl)
  if (!url || url.host !== new URL(siteUrl).host || url.username !== '' || url.password !== '') return undefined
  return siteUrl + url.pathname
}
