import { AFTER_COMMIT } from '../../../core/hooks/index.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { Comment } from '../types.ts'
import './hooks.ts'

/** Statuses in `wp_set_comment_status`, which differ from those in transition hooks. */
const ASKED = { approved: 'approve', hold: 'hold', spam: 'spam', trash: 'trash' } as const

/** Fires the actions for a changed comment status, in the order of `wp_set_comment_status`, `wp_trash_comment`, …. */
export async function announceStatus(hooks: Hooks, comment: Comment, before: Comment['status']): Promise<void> {
  const { doActionAsync } = hooks.limited(AFTER_COMMIT)
  await doActionAsync('wp_set_comment_status', comment.id, ASKED[comment.status])
  await announceTransition(hooks, comment, comment.status, before)
  if (comment.status === 'trash') await doActionAsync('trashed_comment', comment.id, comment)
  else if (before === 'trash') await doActionAsync('untrashed_comment', comment.id, comment)
  if (comment.status === 'spam') await doActionAsync('spammed_comment', comment.id, comment)
  else if (before === 'spam') await doActionAsync('unspammed_comment', comment.id, comment)
}

/** WordPress's `wp_transition_comment_status`. */
export async function announceTransition(
  hooks: Hooks,
  comment: Comment,
  after: Comment['status'] | 'delete',
  before: Comment['status'],
): Promise<void> {
  const { doActionAsync } = hooks.limited(AFTER_COMMIT)
  const [now, old] = [wordpressStatus(after), wordpressStatus(before)]
  if (now !== old) {
    await doActionAsync('transition_comment_status', now, old, comment)
    await doActionAsync(`comment_${old}_to_${now}`, comment)
  }
  // Of the types only `comment` is declared.
  const arrival: string = `comment_${now}_${comment.type || 'comment'}`
  await doActionAsync(arrival, comment.id, comment)
}

/** In WordPress's transitions a comment that waits is called `unapproved`. */
function wordpressStatus(status: Comment['status'] | 'delete'): string {
  return status === 'hold' ? 'unapproved' : status
}
