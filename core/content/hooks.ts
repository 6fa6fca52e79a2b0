import type { JsonValue } from '../options/types.ts'
import type { Comment, Post, Term } from './types.ts'

declare module '../hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires after a post was saved, when its status changed or stayed. `new` is the old status of a post that was just
     * made. Not fired for attachments, as in WordPress.
     * @param newStatus the status it has now
     * @param oldStatus the status it had
     * @param post the post as it is stored now
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'announce',
     *   name: 'Announce',
     *   version: '1.0.0',
     *   setup({ hooks, log }) {
     *     hooks.addAction('transition_post_status', (newStatus, oldStatus, post) => {
     *       if (newStatus === 'publish' && oldStatus !== 'publish') log.info(`New: ${post.title}`)
     *     })
     *   },
     * })
     * ```
     */
    transition_post_status: [newStatus: string, oldStatus: string, post: Post]
    /**
     * Fires after a post of a type was saved as published: `publish_post`, `publish_page`. Fires on every save, not
     * only when the status changed; `transition_post_status` tells the two apart.
     * @param postId id of the post
     * @param post the post as it is stored now
     * @param oldStatus the status it had before, `new` for a post that was just made
     * @since 0.1.0
     */
    [published: `publish_${string}`]: [postId: number, post: Post, oldStatus: string]
    /**
     * As `publish_…`, for a post saved as scheduled: `future_post`.
     * @param postId id of the post
     * @param post the post as it is stored now
     * @param oldStatus the status it had before
     * @since 0.1.0
     */
    [scheduled: `future_${string}`]: [postId: number, post: Post, oldStatus: string]
    /**
     * As `publish_…`, for a post saved as a draft: `draft_post`.
     * @param postId id of the post
     * @param post the post as it is stored now
     * @param oldStatus the status it had before
     * @since 0.1.0
     */
    [drafted: `draft_${string}`]: [postId: number, post: Post, oldStatus: string]
    /**
     * As `publish_…`, for a post that waits for review: `pending_post`.
     * @param postId id of the post
     * @param post the post as it is stored now
     * @param oldStatus the status it had before
     * @since 0.1.0
     */
    [submitted: `pending_${string}`]: [postId: number, post: Post, oldStatus: string]
    /**
     * As `publish_…`, for a post saved as private: `private_post`.
     * @param postId id of the post
     * @param post the post as it is stored now
     * @param oldStatus the status it had before
     * @since 0.1.0
     */
    [hidden: `private_${string}`]: [postId: number, post: Post, oldStatus: string]
    /**
     * As `publish_…`, for a post moved to the trash: `trash_post`.
     * @param postId id of the post
     * @param post the post as it is stored now
     * @param oldStatus the status it had before
     * @since 0.1.0
     */
    [trashed: `trash_${string}`]: [postId: number, post: Post, oldStatus: string]
    /**
     * Fires after an existing post was changed, before `save_post`.
     * @param postId id of the post
     * @param after the post as it is stored now
     * @param before the post as it was
     * @since 0.1.0
     */
    post_updated: [postId: number, after: Post, before: Post]
    /**
     * Fires after a post was made or changed, with its meta and terms stored. Not fired for attachments, as in
     * WordPress: they have `add_attachment` and `edit_attachment`.
     * @param postId id of the post
     * @param post the post as it is stored now
     * @param update whether it existed before
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'word-count',
     *   name: 'Word count',
     *   version: '1.0.0',
     *   setup({ hooks, content }) {
     *     hooks.addAction('save_post', async (postId, post) => {
     *       await content.meta.set('post', postId, 'words', post.content.split(/\s+/).length)
     *     })
     *   },
     * })
     * ```
     */
    save_post: [postId: number, post: Post, update: boolean]
    /**
     * As `save_post`, for one type only and before it: `save_post_page`.
     * @param postId id of the post
     * @param post the post as it is stored now
     * @param update whether it existed before
     * @since 0.1.0
     */
    [saved: `save_post_${string}`]: [postId: number, post: Post, update: boolean]
    /**
     * Fires after `save_post`, with the same arguments.
     * @param postId id of the post
     * @param post the post as it is stored now
     * @param update whether it existed before
     * @since 0.1.0
     */
    wp_insert_post: [postId: number, post: Post, update: boolean]
    /**
     * Fires after an attachment was made.
     * @param postId id of the attachment
     * @since 0.1.0
     */
    add_attachment: [postId: number]
    /**
     * Fires after an attachment was changed.
     * @param postId id of the attachment
     * @since 0.1.0
     */
    edit_attachment: [postId: number]
    /**
     * Fires before a post is deleted for good; everything is still there. Throwing a `RestError` refuses.
     * @param postId id of the post
     * @param post the post
     * @since 0.1.0
     */
    before_delete_post: [postId: number, post: Post]
    /**
     * Fires after a post was deleted for good with its meta, terms, comments and revisions.
     * @param postId id it had
     * @param post the post as it was
     * @since 0.1.0
     */
    deleted_post: [postId: number, post: Post]
    /**
     * Fires when a post's terms of one taxonomy were set, also if they stayed the same.
     * @param postId id of the post
     * @param terms the term ids that were asked for
     * @param termIds the term ids it has now (WordPress's term taxonomy ids; here they are the same numbers)
     * @param taxonomy `category`, `post_tag`, …
     * @param append always `false`: terms are replaced
     * @param oldTermIds the term ids it had
     * @since 0.1.0
     */
    set_object_terms: [
      postId: number,
      terms: readonly number[],
      termIds: readonly number[],
      taxonomy: string,
      append: boolean,
      oldTermIds: readonly number[],
    ]
    /**
     * Fires after a term was made.
     * @param termId id of the term
     * @param termTaxonomyId the same number; WordPress has two
     * @param taxonomy its taxonomy
     * @since 0.1.0
     */
    created_term: [termId: number, termTaxonomyId: number, taxonomy: string]
    /**
     * Fires after a term was changed.
     * @param termId id of the term
     * @param termTaxonomyId the same number; WordPress has two
     * @param taxonomy its taxonomy
     * @since 0.1.0
     */
    edited_term: [termId: number, termTaxonomyId: number, taxonomy: string]
    /**
     * Fires after a term was deleted. Its children moved up to its parent.
     * @param termId id it had
     * @param termTaxonomyId the same number; WordPress has two
     * @param taxonomy its taxonomy
     * @param term the term as it was
     * @param postIds posts that carried it
     * @since 0.1.0
     */
    delete_term: [termId: number, termTaxonomyId: number, taxonomy: string, term: Term, postIds: readonly number[]]
    /**
     * Fires after a comment was stored, whatever its status.
     * @param commentId id of the comment
     * @param comment the comment
     * @since 0.1.0
     */
    wp_insert_comment: [commentId: number, comment: Comment]
    /**
     * Fires after `content.meta.set` stored a value, once for each value of the key.
     * @param metaId id of the row
     * @param postId id of the post
     * @param key name of the value
     * @param value the value
     * @since 0.1.0
     */
    updated_post_meta: [metaId: number, postId: number, key: string, value: JsonValue]
    /**
     * As `updated_post_meta`, for a user.
     * @param metaId id of the row
     * @param userId id of the user
     * @param key name of the value
     * @param value the value
     * @since 0.1.0
     */
    updated_user_meta: [metaId: number, userId: number, key: string, value: JsonValue]
    /**
     * As `updated_post_meta`, for a term.
     * @param metaId id of the row
     * @param termId id of the term
     * @param key name of the value
     * @param value the value
     * @since 0.1.0
     */
    updated_term_meta: [metaId: number, termId: number, key: string, value: JsonValue]
    /**
     * As `updated_post_meta`, for a comment.
     * @param metaId id of the row
     * @param commentId id of the comment
     * @param key name of the value
     * @param value the value
     * @since 0.1.0
     */
    updated_comment_meta: [metaId: number, commentId: number, key: string, value: JsonValue]
    /**
     * Fires after all values of a key were removed from a post.
     * @param metaIds ids of the rows
     * @param postId id of the post
     * @param key name of the values
     * @since 0.1.0
     */
    deleted_post_meta: [metaIds: readonly number[], postId: number, key: string]
    /**
     * As `deleted_post_meta`, for a user.
     * @param metaIds ids of the rows
     * @param userId id of the user
     * @param key name of the values
     * @since 0.1.0
     */
    deleted_user_meta: [metaIds: readonly number[], userId: number, key: string]
    /**
     * As `deleted_post_meta`, for a term.
     * @param metaIds ids of the rows
     * @param termId id of the term
     * @param key name of the values
     * @since 0.1.0
     */
    deleted_term_meta: [metaIds: readonly number[], termId: number, key: string]
    /**
     * As `deleted_post_meta`, for a comment.
     * @param metaIds ids of the rows
     * @param commentId id of the comment
     * @param key name of the values
     * @since 0.1.0
     */
    deleted_comment_meta: [metaIds: readonly number[], commentId: number, key: string]
  }

  interface Filters {
    /**
     * The slug made from a title, before it is made unique.
     * @param slug what core made of it
     * @param title the text it was made from
     * @since 0.1.0
     */
    sanitize_title: [slug: string, title: string]
  }
}
