import type { User } from '../../../core/auth/types.ts'
import type { Content, Post } from '../../content/types.ts'
import type { PageDataCache } from './page-data-cache.ts'

/** Maximum number of parents: stored ones may form a circle. */
export const DEEPEST = 20

/** Finds the pages above a page. */
export function createAncestors(content: Content, pageData: PageDataCache) {
  const publishedPage = pageData.remember(async (id) => {
    const post = await content.posts.get(Number(id))
    return post?.status === 'publish' && post.path !== '' ? post : undefined
  })
  const published = async (id: number): Promise<Post | undefined> => (id > 0 ? publishedPage(String(id)) : undefined)

  return {
    /** A published post with a URL. */
    published,
    /** The pages above a page, from the top; only the lowest ones if the user cannot read one of them. */
    async of(post: Post, user: User | null): Promise<Post[]> {
      const found: Post[] = []
      let { parentId } = post
      while (found.length < DEEPEST) {
        const above = await published(parentId)
        if (!above || !(await content.canRead(above, user))) break
        found.unshift(above)
        parentId = above.parentId
      }
      return found
    },
  }
}
