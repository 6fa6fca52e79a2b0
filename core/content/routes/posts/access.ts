import { RestError } from '../../../errors.ts'
import type { AccessRequest, RestRequest } from '../../../rest/types.ts'
import { isPostPassword, postPasswordRequired } from '../../render/post-password.ts'
import type { Content, Post, PostType } from '../../types.ts'
import type { RouteParts } from '../parts.ts'
import { notFound, refused } from '../refusals.ts'

type Asker = Pick<AccessRequest, 'user' | 'can'>

/** An attachment of an attachment of … is followed no further. */
const DEPTH = 5

/** Those of the posts that the caller may read, in order. Parents of attachments are looked up together. */
export async function readablePosts(posts: readonly Post[], asker: Asker, content: Content): Promise<Post[]> {
  const parentIds = posts.filter((post) => post.status === 'inherit').map((post) => post.parentId)
  const parents = parentIds.some((id) => id > 0) ? await content.posts.getMany(parentIds) : new Map<number, Post>()
  const readable = await Promise.all(posts.map((post) => mayRead(post, asker, content, parents)))
  return posts.filter((_, at) => readable[at])
}

/**
 * Whether the caller may read a post; WordPress's `check_read_permission`. Attachments are as public as the post they
 * belong to. A password is another matter: it closes the text, not the post.
 */
export async function mayRead(
  post: Post,
  asker: Asker,
  content: Content,
  parents: ReadonlyMap<number, Post> = new Map(),
  depth = 0,
): Promise<boolean> {
  if (post.status === 'publish') return true
  if (post.status === 'inherit') {
    if (depth > DEPTH) return false
    const parent =
      post.parentId > 0 ? (parents.get(post.parentId) ?? (await content.posts.get(post.parentId))) : undefined
    return parent === undefined || mayRead(parent, asker, content, parents, depth + 1)
  }
  return asker.user !== null && asker.can('read_post', post.id)
}

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
    throw refused(request.user, 'rest_forbidden_context', 'Sorry, you are not allowed to edit this post.')
  }
  if (!(await mayRead(post, request, content))) {
    throw refused(request.user, 'rest_forbidden', 'Sorry, you are not allowed to do that.')
  }
  await passwordGuesses.check(post, asked.password, request.clientAddress)
  if (asked.password !== undefined && asked.password !== '' && !isPostPassword(post, asked.password)) {
    throw new RestError('rest_post_incorrect_password', 'Incorrect post password.', { status: 403 })
  }
  return post
}

/** Whether the text of a post stays closed; who edits it has seen it. */
export function isClosed(post: Post, asked: { context: string; password: string | undefined }): boolean {
  return asked.context !== 'edit' && postPasswordRequired(post, asked.password)
}
