import { toError } from '../../../core/errors.ts'
import type { Post } from '../../content/types.ts'
import { joinPages, type Lists, type Pages } from './lists.ts'
import type { PostChanges } from './post-changes.ts'
import type { OrAll, PurgePages } from './purge-pages.ts'
import type { SiteParts } from './site-parts.ts'

/** Internal meta of the editor and the trash, which no page shows. */
const BOOKKEEPING = /^_(?:edit_|wp_trash_|wp_desired_|wp_old_|pingme$|encloseme$)/

/** Purges pages when posts of any type, their terms or meta change. */
export function watchPosts(
  { content, hooks }: Pick<SiteParts, 'content' | 'hooks'>,
  parts: { isOn: () => boolean; lists: Lists; posts: PostChanges; purgePages: PurgePages; orAll: OrAll },
): void {
  const { isOn, lists, posts, purgePages, orAll } = parts

  const atPost = async (id: number, reason: string): Promise<void> => {
    const post = await content.posts.get(id)
    if (!post || !posts.isShown(post)) return
    purgePages({ tags: [`post-${id}`], paths: post.path === '' ? [] : [post.path] }, reason)
  }

  async function onSaved(before: Post | undefined, after: Post): Promise<void> {
    const change = isOn() ? await posts.saved(before, after) : undefined
    if (!change) return
    const verb = before ? 'changed' : 'added'
    purgePages(change.wrong, `${nounOf(after)} ${after.id} was ${verb}.`, change)
  }

  hooks.addAction(
    'wp_after_insert_post',
    orAll((_id, post, _update, before) => onSaved(before ?? undefined, post)),
  )
  hooks.addAction(
    'attachment_updated',
    orAll((_id, after, before) => onSaved(before, after)),
  )
  hooks.addAction(
    'add_attachment',
    orAll(async (id) => {
      const post = isOn() ? await content.posts.get(id) : undefined
      if (post) await onSaved(undefined, post)
    }),
  )

  // Collected while its terms, adjacent posts and children still exist; core passes the same object to both actions. An error waits for the
  // second one: what is purged before the change is cached again as it was.
  const going = new WeakMap<Post, Awaited<ReturnType<typeof posts.deleted>> | Error>()
  hooks.addAction('delete_post', async (_id, post) => {
    if (isOn()) going.set(post, await posts.deleted(post).catch(toError))
  })
  hooks.addAction(
    'deleted_post',
    orAll(async (id, post) => {
      const change = going.get(post)
      if (change instanceof Error) throw change
      if (change) purgePages(change.wrong, `${nounOf(post)} ${id} was deleted.`)
    }),
  )

  hooks.addAction(
    'set_object_terms',
    orAll(async (postId, _terms, termIds, _taxonomy, _append, oldTermIds) => {
      const changed = [...termIds, ...oldTermIds].filter((id) => !termIds.includes(id) || !oldTermIds.includes(id))
      if (!isOn() || changed.length === 0) return
      const post = await content.posts.get(postId)
      if (!post || !posts.isShown(post)) return
      const own: Pages = { tags: [`post-${postId}`, `list-${post.type}`], paths: post.path === '' ? [] : [post.path] }
      purgePages(joinPages(own, await lists.ofTerms(changed)), `Terms of post ${postId} changed.`)
    }),
  )

  const onPostMeta = async (_metaId: unknown, postId: number, key: string) => {
    if (isOn() && !BOOKKEEPING.test(key)) await atPost(postId, `Meta of post ${postId} changed.`)
  }
  hooks.addAction('added_post_meta', orAll(onPostMeta))
  hooks.addAction('updated_post_meta', orAll(onPostMeta))
  hooks.addAction('deleted_post_meta', orAll(onPostMeta))
}

/** `Post`, `Page`, `Attachment`. */
function nounOf({ type }: Post): string {
  return type.charAt(0).toUpperCase() + type.slice(1)
}
