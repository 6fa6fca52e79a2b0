import type { User } from '../../../core/auth/types.ts'
import type { Comment, NewComment, Post } from '../types.ts'
import type { DiscussionSettings } from './settings.ts'

/** What somebody wants to say. Whether they may is not looked at here. */
export type Submission = Omit<NewComment, 'status' | 'type'>

export interface SubmissionOptions {
  /** Who sends it; `null` is a visitor. Not always its author: a moderator may write in another's name. */
  readonly sender: User | null
  /** Last change before it is stored. */
  readonly prepare?: (comment: NewComment) => Promise<NewComment>
}

/** What WordPress calls discussion: who may comment where, which comments are shown at once, who is told. */
export interface Discussion {
  settings(): DiscussionSettings
  /** Whether the post takes comments now; passes through the filter `comments_open`. */
  isOpen(post: Post): boolean
  /**
   * Takes a comment in, WordPress's `wp_new_comment`: decides its status, stores it cleaned, fires `comment_post` and
   * tells the author of the post or whoever moderates by mail.
   * @throws RestError 400 `comment_content_column_length` and the like, 409 `comment_duplicate`, 429 `comment_flood`
   */
  submit(comment: Submission, options: SubmissionOptions): Promise<Comment>
  /** Counts what a visitor's address sends in. @throws RestError 429 `rest_too_many_requests` */
  allow(address: string): Promise<void>
  /** The text and name of a comment as they may be stored; whoever may write any HTML may do so here too. */
  clean(changes: Partial<NewComment>, sender: User | null): Promise<Partial<NewComment>>
  /** @throws RestError 400 if a field is longer than WordPress's column */
  checkLengths(comment: Partial<NewComment>): void
  /** Lets the author of a comment that waits see it: goes into the address of the post. */
  moderationHash(comment: Comment): string
  isModerationHash(comment: Comment, hash: string): boolean
}
