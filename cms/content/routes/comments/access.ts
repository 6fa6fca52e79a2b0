import type { RestRequest } from '../../../../core/rest/types.ts'
import type { Comment, Content, Post } from '../../types.ts'
import { accessDenied } from '../errors.ts'
import type { RouteParts } from '../parts.ts'
import { isClosed } from '../posts/access.ts'
import type { AskedComments } from './parameters.ts'

type Asker = Pick<RestRequest, 'user' | 'can'>

/** Whether the caller may read what is said about a post: as the post itself, and only once its password is given. */
export async function mayReadPost(
  post: Post,
  asker: Asker,
  content: Content,
  password: string | undefined,
): Promise<boolean> {
  if (isClosed(post, { context: 'view', password })) return asker.can('edit_post', post.id)
  return content.canRead(post, asker.user)
}

/** Whether the caller may read a comment; WordPress's `check_read_permission`. */
export async function mayReadComment(
  comment: Comment,
  post: Post | undefined,
  asker: Asker,
  content: Content,
  password: string | undefined,
): Promise<boolean> {
  if (post && comment.status === 'approved' && (await mayReadPost(post, asker, content, password))) return true
  if (!asker.user) return false
  if (!post && !(await asker.can('moderate_comments'))) return false
  return comment.userId === asker.user.id || asker.can('edit_comment', comment.id)
}

/**
 * WordPress's `get_items_permissions_check`: only users who can edit posts may query comments that are not public, or by private fields of
 * their authors.
 */
export async function checkList(
  request: RestRequest,
  asked: AskedComments,
  { content, passwordGuesses }: Pick<RouteParts, 'content' | 'passwordGuesses'>,
): Promise<void> {
  const refuse = (code: string, message: string) => accessDenied(request.user, code, message)
  const posts = await content.posts.getMany(asked.post)
  const password = asked.post.length === 1 ? asked.password : undefined
  for (const id of asked.post) {
    const post = posts.get(id)
    if (post) await passwordGuesses.check(post, password, request.clientAddress)
    if (post && !(await mayReadPost(post, request, content, password))) {
      throw refuse('rest_cannot_read_post', 'Sorry, you are not allowed to read the post for this comment.')
    }
    if (id === 0 && !(await request.can('moderate_comments'))) {
      throw refuse('rest_cannot_read', 'Sorry, you are not allowed to read comments without a post.')
    }
  }
  if (asked.context === 'edit' && !(await request.can('moderate_comments'))) {
    throw refuse('rest_forbidden_context', 'Sorry, you are not allowed to edit comments.')
  }
  if (await request.can('edit_posts')) return
  const forbidden = [
    ...(asked.author.length > 0 ? ['author'] : []),
    ...(asked.author_exclude.length > 0 ? ['author_exclude'] : []),
    ...(asked.author_email !== undefined ? ['author_email'] : []),
    ...(asked.type !== 'comment' ? ['type'] : []),
    ...(asked.status !== 'approve' ? ['status'] : []),
  ]
  if (forbidden.length > 0) {
    throw refuse('rest_forbidden_param', `Query parameter not permitted: ${forbidden.join(', ')}`)
  }
}
