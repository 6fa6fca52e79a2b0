import type { Hooks } from '../../../core/hooks/types.ts'
import { createCoreState } from '../../content/render/core-state.ts'
import { RENDERING } from '../../content/render/plain-texts.ts'
import type { Content, Post } from '../../content/types.ts'
import type { TemplatePost, ViewPost } from './post.ts'
import type { RelatedData } from './related-data.ts'

/** Filters with which an extension may change what lists show of a post. */
const FILTERS = [
  ...RENDERING,
  ...['the_title', 'protected_title_format', 'private_title_format', 'post_class'],
  ...['post_link', 'page_link', 'post_type_link', 'attachment_link', 'term_link'],
]

interface Listed {
  /** Weak, because its text is not part of the list. */
  readonly post: WeakRef<Post>
  /** How the list shows it. */
  readonly how: string
  readonly view: TemplatePost
}

/**
 * Prepares posts for templates like `viewPost`, and reuses what lists show of a post that core renders alone, until its data or the settings
 * change.
 */
export function createListedPosts(parts: { content: Content; hooks: Hooks; viewPost: ViewPost }): ViewPost {
  const { content, hooks, viewPost } = parts
  const coreState = createCoreState(hooks, content.siteSettings, FILTERS)
  /** By data of the post, which the page-data cache replaces when the site changes. */
  const known = new WeakMap<RelatedData, Listed>()

  return async (post, around, page, shown) => {
    if (shown.whole || coreState() === undefined) return viewPost(post, around, page, shown)
    const { locked, layout, isFirst } = shown
    const isSticky = page.kind === 'home' && page.pageNumber === 1
    const words = page.kind === 'search' ? page.search : ''
    const how = `${locked} ${layout} ${isFirst} ${isSticky} ${words}`
    const found = known.get(around)
    if (found?.post.deref() === post && found.how === how) return found.view
    const view = await viewPost(post, around, page, shown)
    if (content.isShownAsStored(post)) known.set(around, { post: new WeakRef(post), how, view })
    return view
  }
}
