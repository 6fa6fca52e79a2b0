import { createHash, timingSafeEqual } from 'node:crypto'
import type { Post } from '../types.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whether `given` is the post's password, compared in constant time. Always `false` for a post without a password. */
export function isPostPassword(post: Post, given: string): boolean {
  return timingSafeEqual(digest(post.password), digest(given)) && post.password !== ''
}

/**
 * Whether a post requires a password other than the given one; WordPress's `post_password_required`. Check it before rendering: `content`
 * does not.
 */
export function postPasswordRequired(post: Post, given: string | undefined): boolean {
  return post.password !== '' && (given === undefined || !isPostPassword(post, given))
}
