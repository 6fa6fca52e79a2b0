import type { Content, Post } from '../../content/types.ts'
import type { Page } from './page.ts'

/** The kind of a post's own page. */
export function kindOf(post: Post, content: Content): Page['kind'] {
  if (post.type === 'attachment') return 'attachment'
  return content.postTypes().get(post.type)?.hierarchical ? 'page' : 'single'
}

/** A preview shows the autosave of the viewer; WordPress's `_set_preview`. */
export async function withAutosave(post: Post, userId: number, content: Content): Promise<Post> {
  const slugs = [`${post.id}-autosave-v1`]
  const own = { types: ['revision'], statuses: ['inherit'], parents: [post.id], authors: [userId], slugs, limit: 1 }
  const [autosave] = (await content.posts.query(own)).items
  if (!autosave || autosave.modifiedGmt < post.modifiedGmt) return post
  const { title, content: text, excerpt } = autosave
  return { ...post, title, content: text, excerpt }
}
