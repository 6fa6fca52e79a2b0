import type { Hooks } from '../../../core/hooks/types.ts'
import { feedPath } from '../../content/permalinks/path.ts'
import type { Content, Post } from '../../content/types.ts'
import type { Page } from '../page/page.ts'
import type { PageContext } from '../types.ts'
import { type Address, readQuery } from './route.ts'

/**
 * Where a page that was not found probably is: the post whose slug begins with the last part of the address (WordPress's
 * `redirect_guess_404_permalink`). Only what every visitor may read. A page behind the end of a list means no post, nor does a
 * date without posts.
 */
export function createGuess({ content, hooks }: { content: Content; hooks: Hooks }) {
  /** `/blog/?p=7`: the id tells which post it is, whatever the path. */
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
    if (!hooks.applyFilters('do_redirect_guess_404_permalink', true, page)) return undefined
    const exact = hooks.applyFilters('strict_redirect_guess_404_permalink', false, page)
    const [post] = await content.readable(await content.posts.guess(route.path, { exact }), null)
    if (!post || post.path === '') return undefined
    return feed ? feedPath(post.path) : post.path
  }
}
