import type { Hooks } from '../../../core/hooks/types.ts'
import { createCoreState } from '../../content/render/core-state.ts'
import { RENDERING } from '../../content/render/plain-texts.ts'
import type { Content, Post } from '../../content/types.ts'
import type { PageContext } from '../types.ts'
import type { PostView, ShownPost, TemplatePost } from './post.ts'
import type { RelatedData } from './related-data.ts'

/** Filters with which an extension may change what lists show of a post. */
const FILTERS = [
  ...RENDERING,
  ...['the_title', 'protected_title_format', 'private_title_format', 'post_class'],
  ...['post_link', 'page_link', 'post_type_link', 'attachment_link', 'term_link'],
]

/** Prepares a post for templates. */
export type ViewPost = (post: Post, around: RelatedData, page: PageContext, shown: ShownPost) => Promise<TemplatePost>

interface Listed {
  /** Weak, because its text is not part of the list. */
  readonly post: WeakRef<Post>
  /** How the list shows it. */
  readonly how: string
  readonly view: TemplatePost
}

/**
 * Prepares posts for templates, and reuses what lists show of a post that core renders alone, and what its page shows besides the content,
 * until its data or the settings change.
 */
export function createListedPosts(parts: { content: Content; hooks: Hooks; postView: PostView }): ViewPost {
  const { content, hooks, postView } = parts
  const coreState = createCoreState(hooks, content.siteSettings, FILTERS)
  /** By data of the post, which the page-data cache replaces when the site changes. */
  const known = new WeakMap<RelatedData, Listed>()

  return async (post, around, page, shown) => {
    if (coreState() === undefined) return postView.view(post, around, page, shown)
    const { locked, whole, layout, isFirst } = shown
    const contentHtml = await postView.contentOf(post, page, shown)
    const isSticky = page.kind === 'home' && page.pageNumber === 1
    const words = page.kind === 'search' ? page.search : ''
    const how = `${whole} ${locked} ${layout} ${isFirst} ${isSticky} ${words}`
    const found = known.get(around)
    if (found?.post.deref() === post && found.how === how) return whole ? { ...found.view, contentHtml } : found.view
    const view = await postView.view(post, around, page, { ...shown, contentHtml })
    if (whole || content.isShownAsStored(post))
      known.set(around, { post: new WeakRef(post), how, view: whole ? { ...view, contentHtml: '' } : view })
    return view
  }
}
