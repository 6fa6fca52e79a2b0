import type { FilterShapes } from '../../../core/hooks/shapes.ts'
import { listOf, oneOf } from '../../../core/hooks/value-checks.ts'
import { newCommentShape } from '../comment-shape.ts'
import type { Comment, NewComment, Post } from '../types.ts'

declare module '../../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires after a comment is submitted with the comment form or over REST; not during an import.
     * @param commentId ID of the comment.
     * @param status `approved`, `hold`, `spam`, or `trash`.
     * @param comment The comment.
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'comment-log',
     *   name: 'Comment log',
     *   version: '1.0.0',
     *   setup({ hooks, log }) {
     *     hooks.addAction('comment_post', (commentId, status) => log.info({ commentId, status }, 'new comment'))
     *   },
     * })
     * ```
     */
    comment_post: [commentId: number, status: Comment['status'], comment: Comment]
    /**
     * Fires when a comment is rejected as a duplicate.
     * @param comment The rejected comment.
     * @since 0.1.0
     */
    comment_duplicate_trigger: [comment: NewComment]
    /**
     * Fires when a comment is rejected because its author is posting too quickly.
     * @param lastTime Time of the previous comment, in seconds since the Unix epoch.
     * @param newTime Time of this comment, in seconds since the Unix epoch.
     * @since 0.1.0
     */
    comment_flood_trigger: [lastTime: number, newTime: number]
  }

  interface AsyncFilters {
    /**
     * Filters a submitted comment before it is checked. Throw a `RestError` to reject it.
     * @param comment The submitted comment; return a new object.
     * @since 0.1.0
     */
    preprocess_comment: [comment: NewComment]
    /**
     * Filters the status of a new comment. Throw a `RestError` to reject it.
     * @param status The status determined by core: `approved`, `hold`, `spam`, or `trash`.
     * @param comment The comment.
     * @since 0.1.0
     */
    pre_comment_approved: [status: Comment['status'], comment: NewComment]
  }

  interface Filters {
    /**
     * Filters whether a post is open for comments.
     * @param open Whether its comment status and its age allow comments.
     * @param postId ID of the post.
     * @since 0.1.0
     */
    comments_open: [open: boolean, postId: number]
    /**
     * Filters whether a comment follows the author's previous one too quickly.
     * @param isFlood Whether less than 15 seconds have passed.
     * @param lastTime Time of the previous comment, in seconds since the Unix epoch.
     * @param newTime Time of this comment, in seconds since the Unix epoch.
     * @since 0.1.0
     */
    comment_flood_filter: [isFlood: boolean, lastTime: number, newTime: number]
    /**
     * Filters whether to notify the post author about a comment.
     * @param notify Value of the setting.
     * @param commentId ID of the comment.
     * @since 0.1.0
     */
    notify_post_author: [notify: boolean, commentId: number]
    /**
     * Filters whether to notify moderators about a comment held for moderation.
     * @param notify Value of the setting.
     * @param commentId ID of the comment.
     * @since 0.1.0
     */
    notify_moderator: [notify: boolean, commentId: number]
    /**
     * Filters the email addresses that are notified about a comment on a post.
     * @param addresses The post author's email address.
     * @param commentId ID of the comment.
     * @since 0.1.0
     */
    comment_notification_recipients: [addresses: readonly string[], commentId: number]
    /**
     * Filters the email addresses that are notified about a comment held for moderation.
     * @param addresses The administrator's email address, and the post author's if they can approve the comment.
     * @param commentId ID of the comment.
     * @since 0.1.0
     */
    comment_moderation_recipients: [addresses: readonly string[], commentId: number]
    /**
     * Filters the subject of the email about a comment on a post.
     * @param subject Plain text.
     * @param commentId ID of the comment.
     * @since 0.1.0
     */
    comment_notification_subject: [subject: string, commentId: number]
    /**
     * Filters the subject of the email about a comment held for moderation.
     * @param subject Plain text.
     * @param commentId ID of the comment.
     * @since 0.1.0
     */
    comment_moderation_subject: [subject: string, commentId: number]
    /**
     * Filters the text of the email about a comment on a post.
     * @param text Plain text.
     * @param commentId ID of the comment.
     * @since 0.1.0
     */
    comment_notification_text: [text: string, commentId: number]
    /**
     * Filters the text of the email about a comment held for moderation.
     * @param text Plain text.
     * @param commentId ID of the comment.
     * @since 0.1.0
     */
    comment_moderation_text: [text: string, commentId: number]
    /**
     * Filters whether to accept a comment without text.
     * @param allowed Whether to accept it; default `false`.
     * @param comment The fields of the comment that were submitted.
     * @since 0.1.0
     */
    allow_empty_comment: [allowed: boolean, comment: Partial<NewComment>]
    /**
     * Filters the post types whose comments close when a post is old.
     * @param types Names of post types; default `['post']`.
     * @param post The post.
     * @since 0.1.0
     */
    close_comments_for_post_types: [types: readonly string[], post: Post]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  preprocess_comment: newCommentShape,
  pre_comment_approved: oneOf('approved', 'hold', 'spam', 'trash'),
  comments_open: 'boolean',
  comment_flood_filter: 'boolean',
  notify_post_author: 'boolean',
  notify_moderator: 'boolean',
  comment_notification_recipients: listOf('string'),
  comment_moderation_recipients: listOf('string'),
  comment_notification_subject: 'string',
  comment_moderation_subject: 'string',
  comment_notification_text: 'string',
  comment_moderation_text: 'string',
  allow_empty_comment: 'boolean',
  close_comments_for_post_types: listOf('string'),
} satisfies FilterShapes
