import type { Hooks } from '../../../core/hooks/types.ts'
import { createCoreState } from '../../content/render/core-state.ts'
import type { Content, Post } from '../../content/types.ts'
import { plainText } from '../../text/plain-text.ts'
import { withoutOrigin } from '../text.ts'

/** Filters with which an extension may change the title or the URL of a post. */
const FILTERS = [
  ...['all', 'the_title', 'protected_title_format', 'private_title_format'],
  ...['run_wptexturize', 'no_texturize_tags', 'no_texturize_shortcodes'],
  ...['post_link', 'page_link', 'post_type_link', 'attachment_link'],
]

/** How other pages name and link a post. */
export interface PostName {
  readonly titleHtml: string
  /** Plain text. */
  readonly title: string
  /** Path on this site. */
  readonly url: string
}

/** Whether the title says that the post is protected or private. */
const hasPrefix = ({ password, status }: Post) => password !== '' || status === 'private'

/** Names posts for one page. */
export type PostNames = (posts: readonly Post[]) => PostName[]

/** Names each post once, until the settings change. While an extension filters titles or links, posts are named each time. */
export function createPostNames(parts: { content: Content; hooks: Hooks; origin: string }): PostNames {
  const { content, hooks, origin } = parts
  const coreState = createCoreState(hooks, content.siteSettings, FILTERS)
  const known = new WeakMap<Post, { readonly state: object; readonly name: PostName }>()

  function nameOf(post: Post): PostName {
    const titleHtml = content.renderTitle(post)
    return { titleHtml, title: plainText(titleHtml), url: withoutOrigin(content.link(post), origin) }
  }

  return (posts) => {
    const state = coreState()
    return posts.map((post) => {
      const found = known.get(post)
      if (found !== undefined && found.state === state) return found.name
      const name = nameOf(post)
      // The quotation marks of shortcodes depend on which shortcodes there are, and titles with a prefix on the texts of the theme.
      if (state && !post.title.includes('[') && !hasPrefix(post)) known.set(post, { state, name })
      return name
    })
  }
}
