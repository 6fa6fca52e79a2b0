/** Maximum length of a stored path. */
const LONGEST = 500

/** Paths that are not pages: the REST API, uploads, theme files. */
const NO_PAGE = /^\/wp-(?:json|content|includes|admin)(?:\/|$)/

/**
 * The page of a request: its percent-encoded path without the query string, which is arbitrary. Empty if it is not a
 * page.
 */
export function pagePath(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path.length > LONGEST || NO_PAGE.test(path) || /[^!-~]/.test(path) ? '' : path
}
