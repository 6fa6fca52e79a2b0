import type { ExtensionHost } from 'pentad'
import { createLists } from './lists.ts'
import { createPostChanges } from './post-changes.ts'
import type { PurgePages } from './purge-pages.ts'
import { watchComments } from './watch-comments.ts'
import { watchPosts } from './watch-posts.ts'
import { watchTerms } from './watch-terms.ts'
import { watchUsers } from './watch-users.ts'

/**
 * Listens to all actions about content changes and purges the affected pages. Changes to non-public content purge
 * nothing.
 */
export function watchContent(host: ExtensionHost, isOn: () => boolean, purgePages: PurgePages): void {
  const lists = createLists(host)
  const posts = createPostChanges(host, lists)
  watchPosts(host, { isOn, lists, posts, purgePages })
  watchTerms(host, { isOn, lists, purgePages })
  watchComments(host, { isOn, posts, purgePages })
  watchUsers(host, { isOn, purgePages })
  host.hooks.addAction('oembed_cache_updated', (tag, url) => {
    if (isOn()) purgePages({ tags: [tag], paths: [] }, `The embed of ${url} changed.`)
  })
}
