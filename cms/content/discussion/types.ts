import type { User } from '../../../core/auth/types.ts'
import type { Comment, NewComment, Post } from '../types.ts'
import type { ModerationLinks } from './moderation-links.ts'
import type { DiscussionSettings } from './settings.ts'

/** A submitted comment. Permissions are not checked here. */
export type Submission = Omit<NewComment, 'status' | 'type'>

export interface SubmissionOptions {
  /** The submitting user; `null` for an anonymous visitor. May differ from the author: moderators can submit comments for others. */
  readonly sender: User | null
  /** Last change before it is stored. */
  readonly prepare?: (comment: NewComment) => Promise<NewComment>
}

/** WordPress's discussion features: comment permissions, approval, notifications. */
export interface Discussion {
  settings(): DiscussionSettings
  /** Whether the post accepts comments; passes through the `comments_open` filter. */
  isOpen(post: Post): boolean
  /**
   * Submits a comment, like WordPress's `wp_new_comment`: decides its status, sanitizes and stores it, fires `comment_post`, and notifies
   * the author of the post or the moderators by mail.
   * @throws RestError 400 `comment_content_column_length` and similar, 409 `comment_duplicate`, 429 `comment_flood`
   */
  submit(comment: Submission, options: SubmissionOptions): Promise<Comment>
  /** Counts the submissions from an IP address. @throws RestError 429 `rest_too_many_requests` */
  allow(address: string): Promise<void>
  /** Sanitizes the text and author name of a comment for storage; users with `unfiltered_html` may store any HTML. */
  clean(changes: Partial<NewComment>, sender: User | null): Promise<Partial<NewComment>>
  /** @throws RestError 400 if a field is longer than WordPress's column */
  checkLengths(comment: Partial<NewComment>): void
  /** Lets the author of a pending comment see it: added to the URL of the post. */
  moderationHash(comment: Comment): string
  isModerationHash(comment: Comment, hash: string): boolean
  /** The links in emails to moderators. */
  readonly moderationLinks: ModerationLinks
}
