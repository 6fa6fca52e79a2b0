import { RestError } from '../../../../core/errors.ts'
import type { AccessRequest, RestRequest } from '../../../../core/rest/types.ts'
import type { Comment } from '../../types.ts'
import { accessDenied, badRequest } from '../errors.ts'
import type { RouteParts } from '../parts.ts'
import { mayReadPost } from './access.ts'
import type { AskedComment } from './write-parameters.ts'

/** WordPress's `check_edit_permission`. */
export async function mayEditComment(comment: Comment, asker: Pick<AccessRequest, 'user' | 'can'>): Promise<boolean> {
  if (!asker.user) return false
  return (await asker.can('moderate_comments')) || asker.can('edit_comment', comment.id)
}

/**
 * Checks who may comment there, and fields that only moderators may set; WordPress's `create_item_permissions_check`.
 * @throws RestError 400, 401 or 403 with WordPress's codes
 */
export async function checkNewComment(
  request: RestRequest,
  asked: AskedComment,
  { content, discussion }: Pick<RouteParts, 'content' | 'discussion'>,
): Promise<void> {
  const moderates = await request.can('moderate_comments')
  const fieldError = (name: string) =>
    accessDenied(
      request.user,
      `rest_comment_invalid_${name}`,
      `Sorry, you are not allowed to edit '${name}' for comments.`,
    )
  if (!moderates) {
    if (asked.author !== undefined && asked.author !== (request.user?.id ?? 0)) throw fieldError('author')
    if (asked.author_ip !== undefined && asked.author_ip !== request.clientAddress) throw fieldError('author_ip')
    if (asked.status !== undefined) throw fieldError('status')
  }
  const forbidden = (code: string, message: string) => new RestError(code, message, { status: 403 })
  const post = asked.post ? await content.posts.get(asked.post) : undefined
  if (!post) {
    const message = 'Sorry, you are not allowed to create this comment without a post.'
    throw forbidden('rest_comment_invalid_post_id', message)
  }
  const notHere = 'Sorry, you are not allowed to create a comment on this post.'
  if (post.status === 'draft') throw forbidden('rest_comment_draft_post', notHere)
  if (post.status === 'trash') throw forbidden('rest_comment_trash_post', notHere)
  if (!(await mayReadPost(post, request, content, asked.password))) {
    const message = 'Sorry, you are not allowed to read the post for this comment.'
    throw accessDenied(request.user, 'rest_cannot_read_post', message)
  }
  if (!discussion.isOpen(post)) {
    throw forbidden('rest_comment_closed', 'Sorry, comments are closed for this item.')
  }
  if (asked.type !== undefined && asked.type !== 'comment') {
    throw badRequest('rest_invalid_comment_type', 'Cannot create a comment with that type.')
  }
}

/**
 * Checks the fields that only moderators may change of a comment on their own post: its author, whose change could reveal e-mail addresses,
 * and its post, which requires permission for the other post.
 * @throws RestError 403 `rest_comment_invalid_author`, `rest_comment_invalid_post_id`
 */
export async function checkChangedComment(request: RestRequest, asked: AskedComment, before: Comment): Promise<void> {
  if (await request.can('moderate_comments')) return
  const { author = before.userId, post = before.postId } = asked
  if (author !== before.userId && author !== request.user?.id) {
    const message = "Sorry, you are not allowed to edit 'author' for comments."
    throw accessDenied(request.user, 'rest_comment_invalid_author', message)
  }
  if (post === before.postId || (await request.can('edit_post', post))) return
  throw new RestError('rest_comment_invalid_post_id', 'Invalid post ID.', { status: 403 })
}
