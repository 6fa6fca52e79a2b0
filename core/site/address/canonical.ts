import type { PageContext } from '../types.ts'
import type { Address } from './route.ts'
import { samePath } from './slug.ts'

/**
 * Where a request must be sent to arrive at the one address of what it found, or `undefined` if it is there already
 * (WordPress's `redirect_canonical`): missing or double slashes, capitals, `index.php`, `?p=7`, a wrong parent category.
 * The answer is always a path of this site with exactly one slash in front.
 */
export function canonicalRedirect(page: PageContext, address: Address): string | undefined {
  if (page.status !== 200 || page.preview || page.kind === 'robots' || page.kind === 'sitemap') return undefined
  // A post without a public path lives at `/?p=7`.
  if (page.post?.path === '') return undefined
  const { path, query } = page.request
  const spent = address.used.filter((name) => query.has(name))
  if (spent.length === 0 && samePath(path, page.path)) return undefined
  const rest = new URLSearchParams(query)
  for (const name of address.used) rest.delete(name)
  return rest.size > 0 ? `${page.path}?${rest}` : page.path
}
