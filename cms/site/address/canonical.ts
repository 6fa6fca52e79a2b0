import { samePath } from '../../content/permalinks/path.ts'
import type { PageContext } from '../types.ts'
import type { Address } from './route.ts'

/**
 * The URL that a request must be redirected to because it is not canonical, or `undefined` (WordPress's
 * `redirect_canonical`): missing or double slashes, case, `index.php`, `?p=7`, a wrong parent category. Always a path
 * on this site with exactly one leading slash.
 */
export function canonicalRedirect(page: PageContext, address: Address): string | undefined {
  if (page.status !== 200 || page.preview || page.kind === 'robots' || page.kind === 'sitemap') return undefined
  // A post without a public path has the URL `/?p=7`.
  if (page.post?.path === '') return undefined
  const { path, query } = page.request
  const [wanted = '', plain = ''] = page.path.split('?')
  // Parameters of a plain permalink.
  const own = new URLSearchParams(plain)
  const isOwn = (name: string) => own.has(name) && own.get(name) === query.get(name)
  const spent = address.used.filter((name) => query.has(name) && !isOwn(name))
  const isComplete = [...own.keys()].every(isOwn)
  if (spent.length === 0 && isComplete && samePath(path, wanted)) return undefined
  const rest = new URLSearchParams(query)
  for (const name of [...address.used, ...own.keys()]) rest.delete(name)
  const parameters = [plain, rest.toString()].filter((part) => part !== '').join('&')
  return parameters === '' ? wanted : `${wanted}?${parameters}`
}
