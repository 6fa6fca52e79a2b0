import { RestError } from '../../../../core/errors.ts'
import type { AccessRequest, RestRequest } from '../../../../core/rest/types.ts'
import { isPostPassword, postPasswordRequired } from '../../render/post-password.ts'
import type { Post, PostType } from '../../types.ts'
import { accessDenied, notFound } from '../errors.ts'
import type { RouteParts } from '../parts.ts'

type Asker = Pick<AccessRequest, 'user' | 'can'>

/** Those of the posts that the caller may edit. */
export async function editablePosts(posts: readonly Post[], asker: Asker): Promise<Post[]> {
  const editable = await Promise.all(posts.map((post) => asker.can('edit_post', post.id)))
  return posts.filter((_, at) => editable[at])
}

/**
 * The post of a route with an id, if the caller may read it.
 * @throws RestError as WordPress's `get_item_permissions_check`
 */
export async function readPost(
  request: RestRequest,
  type: PostType,
  { content, passwordGuesses }: Pick<RouteParts, 'content' | 'passwordGuesses'>,
  asked: { context: string; password: string | undefined },
): Promise<Post> {
  const post = await content.posts.get(Number(request.params.id))
  if (post?.type !== type.name) throw notFound('rest_post_invalid_id', 'Invalid post ID.')
  if (asked.context === 'edit' && !(await request.can('edit_post', post.id))) {
    throw accessDenied(request.user, 'rest_forbidden_context', 'Sorry, you are not allowed to edit this post.')
  }
  // Users who can edit a post see its text, as in WordPress's admin.
  if (asked.context !== 'edit' && !(await content.canRead(post, request.user))) {
    throw accessDenied(request.user, 'rest_forbidden', 'Sorry, you are not allowed to do that.')
  }
  await passwordGuesses.check(post, asked.password, request.clientAddress)
  if (asked.password !== undefined && asked.password !== '' && !isPostPassword(post, asked.password)) {
    throw new RestError('rest_post_incorrect_password', 'Incorrect post password.', { status: 403 })
  }
  return post
}

/** Whether the text of a post is hidden; not from users who can edit it. */
export function isClosed(post: Post, asked: { context: string; password: string | undefined }): boolean {
  return asked.context !== 'edit' && postPasswordRequired(post, asked.password)
}
