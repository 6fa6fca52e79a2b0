import { type ExtensionHost, escapeHtml, type PageContext, type Post, plainText } from 'pentad'
import { endOfArticle } from './end-of-article.ts'
import './hooks.ts'
import type { Pairs } from './pairs.ts'
import type { RelatedSettings } from './settings.ts'
import { relatedTag } from './update-related.ts'

/** Adds related posts below the article on post pages, in any theme. */
export function showRelated(
  { content, hooks }: Pick<ExtensionHost, 'content' | 'hooks'>,
  { pairs, settings }: { pairs: Pairs; settings: () => RelatedSettings },
): void {
  async function relatedTo(post: Post, { user }: PageContext): Promise<Post[]> {
    const { aiRelatedPostsQuantity: quantity } = settings()
    // Deleted posts are removed in the background.
    const found = await content.posts.getMany(await pairs.of(post.id, 2 * quantity))
    const open = [...found.values()].filter((one) => one.status === 'publish' && one.password === '')
    return (await content.readable(open, user)).slice(0, quantity)
  }

  hooks.addFilter('page_html', (html, page) => {
    const post = settings().aiRelatedPosts === 'off' ? undefined : postOf(page)
    return post ? addTo(html, page, post) : html
  })

  async function addTo(html: string, page: PageContext, post: Post): Promise<string> {
    page.addTags(relatedTag(post.id))
    const related = await relatedTo(post, page)
    page.addTags(...related.map(({ id }) => `post-${id}`))
    const at = related.length === 0 ? undefined : endOfArticle(html)
    if (at === undefined) return html
    const heading = hooks.applyFilters('ai_related_posts_heading', 'Related posts', post)
    return html.slice(0, at) + section(heading, related) + html.slice(at)
  }

  function section(heading: string, related: readonly Post[]): string {
    const items = related.map((post) => {
      const title = plainText(content.renderTitle(post))
      return `<li><a href="${escapeHtml(content.link(post))}">${escapeHtml(title)}</a></li>`
    })
    return `\n<section class="related-posts" aria-labelledby="ai-related-posts"><h2 id="ai-related-posts">${escapeHtml(heading)}</h2><ul>${items.join('')}</ul></section>`
  }
}

function postOf({ kind, post, feed, locked, preview }: PageContext): Post | undefined {
  return kind === 'single' && post?.type === 'post' && !feed && !locked && !preview ? post : undefined
}
