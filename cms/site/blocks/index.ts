import { renderCallbackHook } from '../../content/blocks/register.ts'
import type { BlockRenderCallback } from '../../content/types.ts'
import { commentBlocks } from './comments/index.ts'
import { createCommentLists } from './comments/list.ts'
import { archives } from './lists/archives.ts'
import { calendar } from './lists/calendar.ts'
import { latestComments } from './lists/latest-comments.ts'
import { latestPosts } from './lists/latest-posts.ts'
import { pageList } from './lists/page-list.ts'
import { terms } from './lists/terms.ts'
import { mediaBlocks } from './media.ts'
import { navigationBlocks } from './navigation/index.ts'
import { asList } from './nesting.ts'
import type { BlockParts } from './parts.ts'
import { postBlocks } from './post/index.ts'
import { queryBlocks } from './query/index.ts'
import { references } from './references.ts'
import { createFeeds } from './rss/fetch.ts'
import { rss } from './rss/index.ts'
import { search } from './search.ts'
import { siteBlocks } from './site.ts'
import { socialLinks } from './social-links.ts'

/**
 * Registers the render callbacks of WordPress's core blocks. They show what the reader can see, and add cache tags for
 * it.
 */
export function registerCoreBlocks(parts: BlockParts): void {
  const findComments = createCommentLists(parts)
  const lists = {
    ...archives(parts),
    ...calendar(parts),
    ...latestComments(parts),
    ...latestPosts(parts),
    ...pageList(parts),
    ...queryBlocks(parts),
    ...rss(parts, createFeeds(parts)),
    ...terms(parts),
  }
  const others = {
    ...commentBlocks(parts, findComments),
    ...mediaBlocks(parts),
    ...navigationBlocks(parts),
    ...postBlocks(parts, findComments),
    ...references(parts),
    ...search(parts),
    ...siteBlocks(parts),
    ...socialLinks,
  }
  const register = (name: string, render: BlockRenderCallback) =>
    parts.hooks.addFilter(renderCallbackHook(name), (_html, attributes, content, block) =>
      render(attributes, content, block),
    )
  for (const [name, render] of Object.entries(lists)) register(name, asList(parts, render))
  for (const [name, render] of Object.entries(others)) register(name, render)
}
