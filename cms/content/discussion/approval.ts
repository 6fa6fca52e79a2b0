import type { Auth, User } from '../../../core/auth/types.ts'
import { toGmt } from '../../../core/database/gmt.ts'
import { RestError } from '../../../core/errors.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { Comment, Content, NewComment } from '../types.ts'
import type { History } from './history.ts'
import type { DiscussionSettings } from './settings.ts'
import { containsWord, countLinks } from './words.ts'

/** Seconds that must pass between two comments by one author (`wp_throttle_comment_flood`). */
const FLOOD_SECONDS = 15
const HOUR = 3_600_000

/** Decides on the status of a submitted comment; WordPress's `wp_allow_comment`. */
export interface Approval {
  /** @throws RestError 409 `comment_duplicate`, 429 `comment_flood` */
  checkAllowed(comment: NewComment, sender: User | null): Promise<void>
  /** The initial status, through the `pre_comment_approved` filter. */
  status(comment: NewComment): Promise<Comment['status']>
}

export function createApproval(parts: {
  auth: Auth
  content: Content
  hooks: Hooks
  history: History
  settings: () => DiscussionSettings
}): Approval {
  const { auth, content, hooks, history, settings } = parts

  async function rejectFlood(comment: NewComment, sender: User | null): Promise<void> {
    if (sender && ((await auth.can(sender, 'manage_options')) || (await auth.can(sender, 'moderate_comments')))) return
    const now = Date.now()
    // A comment that a moderator dated in the future is not evidence of flooding.
    const last = await history.lastTime(comment, toGmt(now - HOUR), toGmt(now))
    if (last === undefined) return
    const lastTime = Math.floor(Date.parse(`${last.replace(' ', 'T')}Z`) / 1000)
    const newTime = Math.floor(now / 1000)
    if (!hooks.applyFilters('comment_flood_filter', newTime - lastTime < FLOOD_SECONDS, lastTime, newTime)) return
    await hooks.doActionAsync('comment_flood_trigger', lastTime, newTime)
    const message = 'You are posting comments too quickly. Slow down.'
    throw new RestError('comment_flood', message, { status: 429 }, { 'Retry-After': String(FLOOD_SECONDS) })
  }

  /** WordPress's `check_comment`: whether it is approved immediately. */
  async function isTrusted(comment: NewComment): Promise<boolean> {
    const { commentModeration, commentMaxLinks, commentPreviouslyApproved, moderationKeys } = settings()
    if (commentModeration === 'on') return false
    if (commentMaxLinks > 0 && countLinks(comment.content) >= commentMaxLinks) return false
    if (containsWord(moderationKeys, textsOf(comment))) return false
    if (commentPreviouslyApproved === 'off') return true
    if (comment.authorName === '' || comment.authorEmail === '') return false
    return history.wasApproved(comment)
  }

  async function decide(comment: NewComment): Promise<Comment['status']> {
    const author = comment.userId > 0 ? await auth.users.get(comment.userId) : undefined
    const post = author && (await content.posts.get(comment.postId))
    if (author && (author.id === post?.authorId || (await auth.can(author, 'moderate_comments')))) return 'approved'
    if (containsWord(settings().disallowedKeys, textsOf(comment))) return 'trash'
    return (await isTrusted(comment)) ? 'approved' : 'hold'
  }

  return {
    async checkAllowed(comment, sender) {
      await history.rejectDuplicate(comment)
      await rejectFlood(comment, sender)
    },
    async status(comment) {
      return hooks.applyFiltersAsync('pre_comment_approved', await decide(comment), comment)
    },
  }
}

function textsOf(comment: NewComment): string[] {
  const { authorName, authorEmail, authorUrl, content, authorAddress, userAgent } = comment
  return [authorName, authorEmail, authorUrl, content, content.replace(/<[^>]*>/g, ''), authorAddress, userAgent]
}
