import type { Hooks } from '../../../core/hooks/types.ts'
import { feedPath } from '../../content/permalinks/path.ts'
import type { Content, Post } from '../../content/types.ts'
import { type Page, viewOf } from '../page/page.ts'
import type { PageContext } from '../types.ts'
import { type Address, readQuery } from './route.ts'

/**
 * Guesses the URL of a page that was not found: the public post whose slug starts with the last path segment
 * (WordPress's `redirect_guess_404_permalink`). Not for pages past the end of a list, or dates without posts.
 */
export function createGuess({ content, hooks }: { content: Content; hooks: Hooks }) {
  /** `/blog/?p=7`: the ID identifies the post, whatever the path. */
  async function byId({ query }: PageContext['request']): Promise<Post | undefined> {
    const { route } = readQuery(query, content.postTypes())
    if (route.to !== 'post') return undefined
    return (await content.posts.get(route.id)) ?? content.posts.getByFormerPath(route.address)
  }

  return async (page: Page, address: Address): Promise<string | undefined> => {
    const { route, feed } = address.endpointOf ?? address
    if (page.preview || !('path' in route) || route.path === undefined) return undefined
    const named = await byId(page.request)
    const [shown] = named ? await content.readable([named], null) : []
    if (shown && shown.path !== '') return shown.path
    if (page.isList || route.to === 'date') return undefined
    if (!hooks.applyFilters('do_redirect_guess_404_permalink', true, viewOf(page))) return undefined
    const exact = hooks.applyFilters('strict_redirect_guess_404_permalink', false, viewOf(page))
    const [post] = await content.readable(await content.posts.guess(route.path, { exact }), null)
    if (!post || post.path === '') return undefined
    return feed ? feedPath(post.path) : post.path
  }
}
