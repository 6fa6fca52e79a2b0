import { createRateLimit } from '../rate-limits/rate-limit.ts'
import type { RateLimitStore } from '../rate-limits/types.ts'
import { isPostPassword } from './render/post-password.ts'
import type { Post } from './types.ts'

/** Limits guesses of post passwords, through the form of the site and REST together. */
export interface PasswordGuesses {
  /** Counts an attempt, right or wrong. @throws RestError 429 `rest_too_many_requests` */
  count(address: string): Promise<void>
  /** Counts a wrong password for the post. After too many failures, correct passwords are rejected too. */
  check(post: Post, given: string | undefined, address: string): Promise<void>
}

export function createPasswordGuesses(store: RateLimitStore): PasswordGuesses {
  const message = 'Too many attempts. Please wait a few minutes.'
  const limit = createRateLimit({ points: 20, seconds: 300, message, shared: { name: 'post-password', store } })
  return {
    count: limit.consume,
    async check(post, given, address) {
      if (given === undefined || given === '') return
      await limit.check(address)
      if (!isPostPassword(post, given)) await limit.consume(address)
    },
  }
}
