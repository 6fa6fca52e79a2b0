import { withFeed } from './lists.ts'
import type { PostChanges } from './post-changes.ts'
import type { OrAll, PurgePages } from './purge-pages.ts'
import type { SiteParts } from './site-parts.ts'

/** Purges pages when public comments change. */
export function watchComments(
  { content, hooks }: Pick<SiteParts, 'content' | 'hooks'>,
  parts: { isOn: () => boolean; posts: PostChanges; purgePages: PurgePages; orAll: OrAll },
): void {
  const { isOn, posts, purgePages, orAll } = parts

  async function onComment(postId: number, reason: string): Promise<void> {
    const post = isOn() ? await content.posts.get(postId) : undefined
    if (!post || !posts.isShown(post)) return
    const paths = ['/comments/feed/', ...withFeed(post.path)]
    purgePages({ tags: [`post-${postId}`, 'comments'], paths }, reason)
  }
  hooks.addAction(
    'wp_insert_comment',
    orAll(async (id, comment) => {
      if (comment.status === 'approved') await onComment(comment.postId, `Comment ${id} was added.`)
    }),
  )
  hooks.addAction(
    'edit_comment',
    orAll(async (id, comment, before) => {
      if (comment.status !== 'approved') return
      for (const postId of new Set([before.postId, comment.postId]))
        await onComment(postId, `Comment ${id} was changed.`)
    }),
  )
  hooks.addAction(
    'transition_comment_status',
    orAll(async (now, before, comment) => {
      if (now !== 'approved' && before !== 'approved') return
      await onComment(comment.postId, `Comment ${comment.id} is ${now === 'delete' ? 'deleted' : now}.`)
    }),
  )
  hooks.addAction(
    'deleted_comment',
    orAll(async (id, comment) => {
      if (comment.status === 'approved') await onComment(comment.postId, `Comment ${id} was deleted.`)
    }),
  )
}
