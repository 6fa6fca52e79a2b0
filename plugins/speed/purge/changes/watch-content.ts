import type { ExtensionHost } from 'pentad'
import { createLists } from './lists.ts'
import { createPostChanges } from './post-changes.ts'
import type { TakeAway } from './take-away.ts'
import { watchComments } from './watch-comments.ts'
import { watchPosts } from './watch-posts.ts'
import { watchTerms } from './watch-terms.ts'
import { watchUsers } from './watch-users.ts'

/**
 * Each action of core that tells of a change of content, and the pages that it makes wrong. What is not public, and
 * never was, takes nothing away.
 */
export function watchContent(host: ExtensionHost, isOn: () => boolean, takeAway: TakeAway): void {
  const lists = createLists(host)
  const posts = createPostChanges(host, lists)
  watchPosts(host, { isOn, lists, posts, takeAway })
  watchTerms(host, { isOn, lists, takeAway })
  watchComments(host, { isOn, posts, takeAway })
  watchUsers(host, { isOn, takeAway })
  host.hooks.addAction('oembed_cache_updated', (tag, url) => {
    if (isOn()) takeAway({ tags: [tag], paths: [] }, `The embed of ${url} changed.`)
  })
}
