import { createLists } from './lists.ts'
import { createPostChanges } from './post-changes.ts'
import type { OrAll, PurgePages } from './purge-pages.ts'
import type { SiteParts } from './site-parts.ts'
import { watchComments } from './watch-comments.ts'
import { watchPosts } from './watch-posts.ts'
import { watchTerms } from './watch-terms.ts'
import { watchUsers } from './watch-users.ts'

/**
 * Listens to all actions about content changes and purges the affected pages. Changes to non-public content purge
 * nothing.
 */
export function watchContent(
  site: Pick<SiteParts, 'auth' | 'content' | 'hooks'>,
  isOn: () => boolean,
  purgePages: PurgePages,
  purgeAll: (reason: string) => void,
): void {
  const orAll: OrAll =
    (callback) =>
    async (...args) => {
      try {
        await callback(...args)
      } catch (error) {
        purgeAll('The pages that a change affects could not be determined.')
        throw error
      }
    }
  const lists = createLists(site)
  const posts = createPostChanges(site, lists)
  watchPosts(site, { isOn, lists, posts, purgePages, orAll })
  watchTerms(site, { isOn, lists, purgePages, orAll })
  watchComments(site, { isOn, posts, purgePages, orAll })
  watchUsers(site, { isOn, purgePages, orAll })
  site.hooks.addAction('oembed_cache_updated', (tag, url) => {
    if (isOn()) purgePages({ tags: [tag], paths: [] }, `The embed of ${url} changed.`, { soft: true })
  })
}
