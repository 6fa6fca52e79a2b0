import type { Comment } from '../types.ts'

declare module '../../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires after a comment is stored, regardless of its status.
     * @param commentId ID of the comment.
     * @param comment The comment.
     * @since 0.1.0
     */
    wp_insert_comment: [commentId: number, comment: Comment]
    /**
     * Fires after a comment is changed: its text, author, date, or post; not if only its status changes.
     * @param commentId ID of the comment.
     * @param comment The comment as it is stored now.
     * @param before The comment before the change.
     * @since 0.1.0
     */
    edit_comment: [commentId: number, comment: Comment, before: Comment]
    /**
     * Fires before a comment is deleted permanently. Throw a `RestError` to cancel.
     * @param commentId ID of the comment.
     * @param comment The comment.
     * @since 0.1.0
     */
    delete_comment: [commentId: number, comment: Comment]
    /**
     * Fires after a comment is deleted permanently. Its replies have already been moved to its parent.
     * @param commentId ID of the deleted comment.
     * @param comment The comment before it was deleted.
     * @since 0.1.0
     */
    deleted_comment: [commentId: number, comment: Comment]
    /**
     * Fires after the status of a comment is changed, before `transition_comment_status`.
     * @param commentId ID of the comment.
     * @param status The new status: `approve`, `hold`, `spam`, or `trash`.
     * @since 0.1.0
     */
    wp_set_comment_status: [commentId: number, status: string]
    /**
     * Fires after the status of a comment changes.
     * @param newStatus The new status: `approved`, `unapproved`, `spam`, `trash`, or `delete`.
     * @param oldStatus The previous status.
     * @param comment The comment; for `delete`, the deleted one.
     * @since 0.1.0
     */
    transition_comment_status: [newStatus: string, oldStatus: string, comment: Comment]
    /**
     * Like `transition_comment_status`, but for one pair of statuses: `comment_unapproved_to_approved`.
     * @param comment The comment.
     * @since 0.1.0
     */
    [changed: `comment_${string}_to_${string}`]: [comment: Comment]
    /**
     * Fires after `transition_comment_status`, for the current status of the comment, even if the status did not
     * change: `comment_approved_comment`, `comment_unapproved_comment`, `comment_spam_comment`. For types other than
     * `comment`, the name ends with the type: `comment_approved_pingback`.
     * @param commentId ID of the comment.
     * @param comment The comment.
     * @since 0.1.0
     */
    [arrived: `comment_${string}_comment`]: [commentId: number, comment: Comment]
    /**
     * Fires after a comment is moved to the trash.
     * @param commentId ID of the comment.
     * @param comment The comment.
     * @since 0.1.0
     */
    trashed_comment: [commentId: number, comment: Comment]
    /**
     * Fires after a comment is restored from the trash.
     * @param commentId ID of the comment.
     * @param comment The comment.
     * @since 0.1.0
     */
    untrashed_comment: [commentId: number, comment: Comment]
    /**
     * Fires after a comment is marked as spam.
     * @param commentId ID of the comment.
     * @param comment The comment.
     * @since 0.1.0
     */
    spammed_comment: [commentId: number, comment: Comment]
    /**
     * Fires after a comment is unmarked as spam.
     * @param commentId ID of the comment.
     * @param comment The comment.
     * @since 0.1.0
     */
    unspammed_comment: [commentId: number, comment: Comment]
  }
}
