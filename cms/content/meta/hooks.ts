import type { JsonValue } from '../../../core/options/types.ts'

declare module '../../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires after a meta value is added to a post, over REST or by an extension, once for each value. Changes to
     * existing values fire `updated_post_meta`.
     * @param metaId ID of the metadata entry.
     * @param postId ID of the post.
     * @param key The meta key.
     * @param value The value.
     * @since 0.1.0
     */
    added_post_meta: [metaId: number, postId: number, key: string, value: JsonValue]
    /**
     * Like `added_post_meta`, but for a user.
     * @param metaId ID of the metadata entry.
     * @param userId ID of the user.
     * @param key The meta key.
     * @param value The value.
     * @since 0.1.0
     */
    added_user_meta: [metaId: number, userId: number, key: string, value: JsonValue]
    /**
     * Like `added_post_meta`, but for a term.
     * @param metaId ID of the metadata entry.
     * @param termId ID of the term.
     * @param key The meta key.
     * @param value The value.
     * @since 0.1.0
     */
    added_term_meta: [metaId: number, termId: number, key: string, value: JsonValue]
    /**
     * Like `added_post_meta`, but for a comment.
     * @param metaId ID of the metadata entry.
     * @param commentId ID of the comment.
     * @param key The meta key.
     * @param value The value.
     * @since 0.1.0
     */
    added_comment_meta: [metaId: number, commentId: number, key: string, value: JsonValue]
    /**
     * Fires after a meta value of a post is changed, over REST or by an extension, once for each value. Not fired if
     * the value is the same.
     * @param metaId ID of the metadata entry.
     * @param postId ID of the post.
     * @param key The meta key.
     * @param value The value.
     * @since 0.1.0
     */
    updated_post_meta: [metaId: number, postId: number, key: string, value: JsonValue]
    /**
     * Like `updated_post_meta`, but for a user.
     * @param metaId ID of the metadata entry.
     * @param userId ID of the user.
     * @param key The meta key.
     * @param value The value.
     * @since 0.1.0
     */
    updated_user_meta: [metaId: number, userId: number, key: string, value: JsonValue]
    /**
     * Like `updated_post_meta`, but for a term.
     * @param metaId ID of the metadata entry.
     * @param termId ID of the term.
     * @param key The meta key.
     * @param value The value.
     * @since 0.1.0
     */
    updated_term_meta: [metaId: number, termId: number, key: string, value: JsonValue]
    /**
     * Like `updated_post_meta`, but for a comment.
     * @param metaId ID of the metadata entry.
     * @param commentId ID of the comment.
     * @param key The meta key.
     * @param value The value.
     * @since 0.1.0
     */
    updated_comment_meta: [metaId: number, commentId: number, key: string, value: JsonValue]
    /**
     * Fires after values of a key are removed from a post; not for the meta of a post that is deleted.
     * @param metaIds IDs of the metadata entries.
     * @param postId ID of the post.
     * @param key The meta key.
     * @since 0.1.0
     */
    deleted_post_meta: [metaIds: readonly number[], postId: number, key: string]
    /**
     * Like `deleted_post_meta`, but for a user.
     * @param metaIds IDs of the metadata entries.
     * @param userId ID of the user.
     * @param key The meta key.
     * @since 0.1.0
     */
    deleted_user_meta: [metaIds: readonly number[], userId: number, key: string]
    /**
     * Like `deleted_post_meta`, but for a term.
     * @param metaIds IDs of the metadata entries.
     * @param termId ID of the term.
     * @param key The meta key.
     * @since 0.1.0
     */
    deleted_term_meta: [metaIds: readonly number[], termId: number, key: string]
    /**
     * Like `deleted_post_meta`, but for a comment.
     * @param metaIds IDs of the metadata entries.
     * @param commentId ID of the comment.
     * @param key The meta key.
     * @since 0.1.0
     */
    deleted_comment_meta: [metaIds: readonly number[], commentId: number, key: string]
  }
}
