/** Characters of a path that is told apart; the site's own are shorter. */
const LONGEST = 500

/** What is no page: the REST API, uploads, files of themes. */
const NO_PAGE = /^\/wp-(?:json|content|includes|admin)(?:\/|$)/

/**
 * The page that a request is about: its path, percent-encoded, without the query, which anybody can make up. Empty for
 * what is no page.
 */
export function pagePath(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path.length > LONGEST || NO_PAGE.test(path) || /[^!-~]/.test(path) ? '' : path
}
