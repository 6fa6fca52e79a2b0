import { createHash, timingSafeEqual } from 'node:crypto'
import type { Post } from '../types.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whether `given` is the post's password, compared in constant time. A post without a password has none that fits. */
export function isPostPassword(post: Post, given: string): boolean {
  return timingSafeEqual(digest(post.password), digest(given)) && post.password !== ''
}

/**
 * Whether a post is still closed to somebody who gave this password or none; WordPress's `post_password_required`.
 * Whoever renders a post asks first: `content` renders whatever it is given.
 */
export function postPasswordRequired(post: Post, given: string | undefined): boolean {
  return post.password !== '' && (given === undefined || !isPostPassword(post, given))
}
