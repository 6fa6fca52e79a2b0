import { AFTER_COMMIT } from '../../../core/hooks/index.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import { announceMeta } from '../meta/changes.ts'
import type { PostRow } from '../rows.ts'
import type { Post } from '../types.ts'
import type { SavedPost } from './write.ts'

/**
 * Fires the actions of a save, in WordPress's order (`wp_insert_post`). Names that contain a status are typed as undeclared here, because a
 * status is any string; callbacks use the declared family.
 */
export async function announceSaved(hooks: Hooks, read: (row: PostRow) => Post, saved: SavedPost): Promise<Post> {
  const { setTerms, meta, revisions } = saved
  const post = read(saved.after)
  const before = saved.before && read(saved.before)
  const { id, type, status } = post
  const { doActionAsync } = hooks.limited(AFTER_COMMIT)
  const fire = (family: string, ...args: unknown[]) => doActionAsync(family, ...args)

  for (const { taxonomy, askedIds, newIds, oldIds } of setTerms)
    await doActionAsync('set_object_terms', id, askedIds, newIds, taxonomy, false, oldIds)
  await announceMeta(hooks, 'post', id, meta)
  if (type === 'attachment') {
    // If a callback rejects a new attachment, it is deleted with its file.
    await (before ? doActionAsync('edit_attachment', id) : hooks.doActionAsync('add_attachment', id))
    if (before) await doActionAsync('attachment_updated', id, post, before)
    return post
  }
  const oldStatus = before?.status ?? 'new'
  await doActionAsync('transition_post_status', status, oldStatus, post)
  await fire(`${oldStatus}_to_${status}`, post)
  await fire(`${status}_${type}`, id, post, oldStatus)
  if (before) {
    await doActionAsync(`edit_post_${type}`, id, post)
    await doActionAsync('edit_post', id, post)
    await doActionAsync('post_updated', id, post, before)
  }
  const update = before !== undefined
  await doActionAsync(`save_post_${type}`, id, post, update)
  await doActionAsync('save_post', id, post, update)
  await doActionAsync('wp_insert_post', id, post, update)
  for (const revisionId of revisions.saved) await doActionAsync('_wp_put_post_revision', revisionId, id)
  for (const revisionId of revisions.deleted) await doActionAsync('wp_delete_post_revision', revisionId, id)
  if ((before?.sticky ?? false) !== post.sticky) await doActionAsync(post.sticky ? 'post_stuck' : 'post_unstuck', id)
  await doActionAsync('wp_after_insert_post', id, post, update, before ?? null)
  return post
}

/**
 * Fires the actions before a change of a post; a `RestError` of a callback rejects the change.
 *
 * @param noted status of a trashed post before it was trashed
 */
export async function announceChange(
  hooks: Hooks,
  before: Post,
  status: string,
  data: object,
  noted: string,
): Promise<void> {
  if (status === 'trash' && before.status !== 'trash')
    await hooks.doActionAsync('wp_trash_post', before.id, before.status)
  if (status !== 'trash' && before.status === 'trash') await hooks.doActionAsync('untrash_post', before.id, noted)
  await hooks.doActionAsync('pre_post_update', before.id, data)
}

/** Fires the actions for a post that was trashed or restored. */
export async function announceTrash(hooks: Hooks, post: Post, before: Post | undefined, noted: string): Promise<void> {
  const { doActionAsync } = hooks.limited(AFTER_COMMIT)
  if (before === undefined || before.status === post.status) return
  if (post.status === 'trash') await doActionAsync('trashed_post', post.id, before.status)
  if (before.status === 'trash') await doActionAsync('untrashed_post', post.id, noted)
}

/** Fires the actions before a permanent deletion, in WordPress's order (`wp_delete_post`). A `RestError` of a callback rejects it. */
export async function announceDeletion(hooks: Hooks, post: Post): Promise<void> {
  await hooks.doActionAsync('before_delete_post', post.id, post)
  await hooks.doActionAsync(`delete_post_${post.type}`, post.id, post)
  await hooks.doActionAsync('delete_post', post.id, post)
}

/** Fires the actions after a permanent deletion. */
export async function announceDeleted(hooks: Hooks, post: Post): Promise<void> {
  const { doActionAsync } = hooks.limited(AFTER_COMMIT)
  await doActionAsync(`deleted_post_${post.type}`, post.id, post)
  await doActionAsync('deleted_post', post.id, post)
  await doActionAsync('after_delete_post', post.id, post)
}
