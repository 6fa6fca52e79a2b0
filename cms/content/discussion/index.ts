import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Auth, User } from '../../../core/auth/types.ts'
import type { Database } from '../../../core/database/index.ts'
import { RestError } from '../../../core/errors.ts'
import { AFTER_COMMIT } from '../../../core/hooks/index.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { SettingsRegistry } from '../../../core/options/types.ts'
import type { Jobs } from '../../jobs/types.ts'
import type { Mail } from '../../mail/types.ts'
import { createRateLimit } from '../../rate-limits/rate-limit.ts'
import type { RateLimitStore } from '../../rate-limits/types.ts'
import type { TextsFor } from '../../text/translations.ts'
import { TRASH_TIME } from '../meta/trash-keys.ts'
import { cleanComment, cleanName } from '../sanitize.ts'
import type { Comment, Content, NewComment, Post } from '../types.ts'
import { createApproval } from './approval.ts'
import { createHistory } from './history.ts'
import { filterShapes } from './hooks.ts'
import { checkLengths } from './lengths.ts'
import { type CommentMail, createCommentMails } from './mails.ts'
import { createModerationLinks } from './moderation-links.ts'
import { discussionSchema } from './settings.ts'
import type { Discussion } from './types.ts'

export { createModerationLinks } from './moderation-links.ts'
export type { DiscussionSettings } from './settings.ts'
export { discussionSchema } from './settings.ts'
export type * from './types.ts'

const DAY = 86_400_000

/**
 * Comment features beyond storage.
 * @param parts.key secret of this site, 32 bytes
 * @param parts.linkKey another secret, for links in emails
 */
export function createDiscussion(parts: {
  content: Content
  auth: Auth
  hooks: Hooks
  database: Database
  rateLimitStore: RateLimitStore
  settings: SettingsRegistry
  mail: Mail
  jobs: Jobs
  textsFor: TextsFor
  /** Without a trailing slash. */
  siteUrl: string
  key: Buffer
  linkKey: Buffer
}): Discussion {
  const { content, auth, hooks, database, mail, jobs, key } = parts
  hooks.declareFilters(filterShapes)
  const message = 'You are posting comments too quickly. Please wait a few minutes.'
  // Rejected comments count too.
  const limit = createRateLimit({
    points: 10,
    seconds: 300,
    message,
    shared: { name: 'comments', store: parts.rateLimitStore },
  })
  const settings = parts.settings.register('discussion', discussionSchema).settings.get
  const approval = createApproval({ auth, content, hooks, history: createHistory(database), settings })
  const moderationLinks = createModerationLinks({ comments: content.comments, key: parts.linkKey })
  const messageFor = createCommentMails({
    ...{ auth, content, hooks, settings, moderationLinks },
    ...{ textsFor: parts.textsFor, siteUrl: parts.siteUrl },
  })
  // Sent in the background, so that a slow mail server does not delay commenters.
  const { queue } = jobs.createQueue<CommentMail>({
    name: 'comment mails',
    async work({ message, language }) {
      // Its links can moderate the comment, so the email log does not store it.
      await mail.send(message, { isSecret: true, language })
    },
  })

  /** Closed by its author, or because of its age if the setting is on. */
  function isOpen(post: Post): boolean {
    const { closeCommentsForOldPosts, closeCommentsDaysOld } = settings()
    const supports = content.postTypes().get(post.type)?.supports.includes('comments') ?? false
    const isOld =
      closeCommentsForOldPosts === 'on' &&
      closeCommentsDaysOld > 0 &&
      hooks.applyFilters('close_comments_for_post_types', ['post'], post).includes(post.type) &&
      Date.now() - Date.parse(`${post.dateGmt}Z`) > closeCommentsDaysOld * DAY
    return hooks.applyFilters('comments_open', supports && post.commentStatus === 'open' && !isOld, post.id)
  }

  /** Users with `unfiltered_html` may store any HTML; output is sanitized anyway. */
  async function clean<Fields extends Partial<NewComment>>(comment: Fields, sender: User | null): Promise<Fields> {
    const isTrusted = sender !== null && (await auth.can(sender, 'unfiltered_html'))
    const { authorName, content: text } = comment
    return {
      ...comment,
      ...(authorName !== undefined && { authorName: cleanName(authorName) }),
      ...(text !== undefined && !isTrusted && { content: cleanComment(text) }),
    }
  }

  /** A name or text that is empty after sanitizing counts as missing. @throws RestError 400 with the codes of the comment form */
  function rejectEmptied(comment: NewComment, cleaned: NewComment): void {
    const isEmptied = (field: 'authorName' | 'content') => cleaned[field].trim() === '' && comment[field].trim() !== ''
    if (isEmptied('authorName') && settings().requireNameEmail === 'on') {
      const message = 'Please fill in your name and your email address.'
      throw new RestError('require_name_email', message, { status: 400 })
    }
    if (isEmptied('content')) {
      throw new RestError('require_valid_comment', 'Please type your comment text.', { status: 400 })
    }
  }

  /** Stores the comment unless it is a duplicate, which is checked early, and again in the transaction. */
  async function store(comment: NewComment, allow: () => Promise<NewComment>): Promise<Comment> {
    try {
      return await content.comments.insert(await allow(), { once: true })
    } catch (error) {
      const isDuplicate = error instanceof RestError && error.code === 'comment_duplicate'
      if (isDuplicate) await hooks.doActionAsync('comment_duplicate_trigger', comment)
      throw error
    }
  }

  const hashOf = ({ id, dateGmt }: Comment) => createHmac('sha256', key).update(`${id} ${dateGmt}`).digest('base64url')

  return {
    settings,
    isOpen,
    allow: limit.consume,
    clean,
    checkLengths,
    async submit(submission, { sender, prepare = async (comment) => comment }) {
      const asked: NewComment = { ...submission, status: 'hold', type: 'comment' }
      const comment = await hooks.applyFiltersAsync('preprocess_comment', asked)
      checkLengths(comment)
      const cleaned = await clean(comment, sender)
      rejectEmptied(comment, cleaned)
      const stored = await store(cleaned, async () => {
        await approval.checkAllowed(cleaned, sender)
        const status = await approval.status(cleaned)
        const isHidden = status === 'spam' || status === 'trash'
        const meta = isHidden && { meta: { ...cleaned.meta, [TRASH_TIME]: [Math.floor(Date.now() / 1000)] } }
        return prepare({ ...cleaned, status, ...meta })
      })
      await hooks.limited(AFTER_COMMIT).doActionAsync('comment_post', stored.id, stored.status, stored)
      const email = await messageFor(stored)
      if (email) queue.push(email)
      return stored
    },
    moderationLinks,
    moderationHash: hashOf,
    isModerationHash(comment, hash) {
      const [given, wanted] = [Buffer.from(hash), Buffer.from(hashOf(comment))]
      return given.length === wanted.length && timingSafeEqual(given, wanted)
    },
  }
}
