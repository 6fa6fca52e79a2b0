import type { ExtensionHost, Post } from 'pentad'
import type { OwnRedirects } from './redirects.ts'

/** Maximum number of child pages per parent that get redirects, and of levels. */
const MOST_CHILDREN = 1_000
const DEEPEST = 20

/** Creates redirects for published pages whose path changes, and for their child pages. */
export function redirectChangedSlugs(
  { hooks, content }: Pick<ExtensionHost, 'hooks' | 'content'>,
  { redirects, isOn }: { redirects: OwnRedirects; isOn: () => boolean },
): void {
  hooks.addAction('post_updated', async (_id, after, before) => {
    if (!isOn() || !isPublic(after) || !isPublic(before) || after.path === before.path) return
    await redirects.pathChanged(before.path, after.path)
    for (const path of await pathsBelow(after, DEEPEST)) {
      await redirects.pathChanged(before.path + path.slice(after.path.length), path)
    }
  })

  hooks.addAction('transition_post_status', async (status, oldStatus, post) => {
    if (isOn() && status !== oldStatus && isPublic(post)) await redirects.pathInUse(post.path)
  })

  async function pathsBelow({ id, type }: Post, levels: number): Promise<string[]> {
    if (levels === 0 || !content.postTypes().get(type)?.hierarchical) return []
    const { items: posts } = await content.posts.query({ types: [type], parents: [id], limit: MOST_CHILDREN })
    const below = await Promise.all(posts.map((post) => pathsBelow(post, levels - 1)))
    return [...posts.map(({ path }) => path), ...below.flat()]
  }
}

function isPublic({ status, type, path }: Post): boolean {
  return status === 'publish' && type !== 'attachment' && path !== ''
}
