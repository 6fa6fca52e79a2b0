import type { Auth } from '../../../core/auth/types.ts'
import { RestError } from '../../../core/errors.ts'
import type { Rest } from '../../../core/rest/types.ts'
import type { Content, Post, PostType } from '../../content/types.ts'
import type { Abilities } from '../types.ts'

/** Parts that the content abilities share. */
export interface ContentAbilityParts {
  readonly abilities: Pick<Abilities, 'register'>
  readonly rest: Pick<Rest, 'dispatch'>
  readonly content: Content
  readonly auth: Pick<Auth, 'can'>
}

/** Whether posts of the type can be written: not media, and only types that REST exposes. */
function isWritten(type: PostType | undefined): type is PostType {
  return type !== undefined && type.restBase !== null && type.name !== 'attachment'
}

/** @throws RestError 404 `post_type_not_found` */
export function findType(content: Content, name: string): PostType {
  const type = content.postTypes().get(name)
  if (isWritten(type)) return type
  throw new RestError('post_type_not_found', `The post type “${name}” does not exist.`, { status: 404 })
}

/** `/wp/v2/pages` for the `page` type, `/wp/v2/pages/7` for one of them. */
export function routeOf(type: PostType, id?: number): string {
  return `/wp/v2/${type.restBase}${id === undefined ? '' : `/${id}`}`
}

/** @throws RestError 404 `post_not_found` */
export async function findPost(content: Content, id: number): Promise<{ post: Post; type: PostType }> {
  const post = await content.posts.get(id)
  const type = post && content.postTypes().get(post.type)
  if (post && isWritten(type)) return { post, type }
  throw new RestError('post_not_found', 'Post not found.', { status: 404 })
}
