import { feedPath } from '../../content/permalinks/path.ts'
import type { Content } from '../../content/types.ts'
import type { Hooks } from '../../hooks/types.ts'
import type { PageContext } from '../types.ts'
import type { Address } from './route.ts'

/**
 * Where a page that was not found probably is: the post whose slug begins with the last part of the address (WordPress's
 * `redirect_guess_404_permalink`). Only what every visitor may read.
 */
export function createGuess({ content, hooks }: { content: Content; hooks: Hooks }) {
  return async (page: PageContext, { route, feed }: Address): Promise<string | undefined> => {
    if (page.preview || !('path' in route) || route.path === undefined) return undefined
    if (!hooks.applyFilters('do_redirect_guess_404_permalink', true, page)) return undefined
    const exact = hooks.applyFilters('strict_redirect_guess_404_permalink', false, page)
    const [post] = await content.readable(await content.posts.guess(route.path, { exact }), null)
    if (!post || post.path === '') return undefined
    return feed ? feedPath(post.path) : post.path
  }
}
