import type { Comment, Post, PostType, Taxonomy, Term } from './types.ts'

/**
 * What the families `delete_…`, `edit_…` and `saved_…` cannot promise: `delete_post` and `saved_term` belong to them too.
 * (`delete_post_tag` and `edit_post_tag` cannot be told from hooks of a type called `tag`.)
 */
interface TermHooks {
  delete_category: [termId: number, termTaxonomyId: number, term: Term, postIds: readonly number[]]
  edit_category: [termId: number, termTaxonomyId: number, args: object]
  saved_category: [termId: number, termTaxonomyId: number, update: boolean, args: object]
  saved_post_tag: [termId: number, termTaxonomyId: number, update: boolean, args: object]
}

declare module '../hooks/names.ts' {
  interface Actions {
    /**
     * Fires when a post type was registered; while an extension reloads, also when its new version replaces the old.
     * @param name `post`, `page`, `book`
     * @param type the type
     * @since 0.1.0
     */
    registered_post_type: [name: string, type: PostType]
    /**
     * Fires when a registration of a post type was undone. An older one of the same name may be there again.
     * @param name `book`
     * @since 0.1.0
     */
    unregistered_post_type: [name: string]
    /**
     * Fires when a taxonomy was registered; while an extension reloads, also when its new version replaces the old.
     * @param name `category`, `genre`
     * @param types names of the post types that carry its terms
     * @param taxonomy the taxonomy
     * @since 0.1.0
     */
    registered_taxonomy: [name: string, types: readonly string[], taxonomy: Taxonomy]
    /**
     * Fires when a registration of a taxonomy was undone. An older one of the same name may be there again.
     * @param name `genre`
     * @since 0.1.0
     */
    unregistered_taxonomy: [name: string]
  }

  interface AsyncActions extends TermHooks {
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
     * only when the status changed; `transition_post_status` tells the two apart. For posts and pages its arguments are
     * typed; an extension declares the names of its own types: `publish_book: [postId: number, post: Post, oldStatus:
     * string]` in `AsyncActions`.
     * @param postId id of the post
     * @param post the post as it is stored now
     * @param oldStatus the status it had before, `new` for a post that was just made
     * @since 0.1.0
     */
    [published: `publish_${string}`]: unknown[]
    /**
     * As `publish_…`, for a post saved as scheduled: `future_post`.
     * @param postId id of the post
     * @param post the post as it is stored now
     * @param oldStatus the status it had before
     * @since 0.1.0
     */
    [scheduled: `future_${string}`]: unknown[]
    /**
     * As `publish_…`, for a post saved as a draft: `draft_post`.
     * @param postId id of the post
     * @param post the post as it is stored now
     * @param oldStatus the status it had before
     * @since 0.1.0
     */
    [drafted: `draft_${string}`]: unknown[]
    /**
     * As `publish_…`, for a post that waits for review: `pending_post`.
     * @param postId id of the post
     * @param post the post as it is stored now
     * @param oldStatus the status it had before
     * @since 0.1.0
     */
    [submitted: `pending_${string}`]: unknown[]
    /**
     * As `publish_…`, for a post saved as private: `private_post`.
     * @param postId id of the post
     * @param post the post as it is stored now
     * @param oldStatus the status it had before
     * @since 0.1.0
     */
    [hidden: `private_${string}`]: unknown[]
    /**
     * As `publish_…`, for a post moved to the trash: `trash_post`.
     * @param postId id of the post
     * @param post the post as it is stored now
     * @param oldStatus the status it had before
     * @since 0.1.0
     */
    [trashed: `trash_${string}`]: unknown[]
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
     * Fires after a term was made, before `created_term`.
     * @param termId id of the term
     * @param termTaxonomyId the same number; WordPress has two
     * @param taxonomy its taxonomy
     * @param args what was asked for: name, slug, description, parent
     * @since 0.1.0
     */
    create_term: [termId: number, termTaxonomyId: number, taxonomy: string, args: object]
    /**
     * As `create_term`, for one taxonomy: `create_category`, `create_post_tag`.
     * @param termId id of the term
     * @param termTaxonomyId the same number; WordPress has two
     * @param args what was asked for: name, slug, description, parent
     * @since 0.1.0
     */
    [create: `create_${string}`]: [termId: number, termTaxonomyId: number, args: unknown, ...rest: unknown[]]
    /**
     * Fires after a term was changed, before `edited_term`.
     * @param termId id of the term
     * @param termTaxonomyId the same number; WordPress has two
     * @param taxonomy its taxonomy
     * @param args what was asked for: the fields that change
     * @since 0.1.0
     */
    edit_term: [termId: number, termTaxonomyId: number, taxonomy: string, args: object]
    /**
     * As `edit_term`, for one taxonomy: `edit_category`, `edit_post_tag`.
     * @param termId id of the term
     * @param rest the same number, and what was asked for
     * @since 0.1.0
     */
    [edit: `edit_${string}`]: [termId: number, ...rest: unknown[]]
    /**
     * Fires after a term was made.
     * @param termId id of the term
     * @param termTaxonomyId the same number; WordPress has two
     * @param taxonomy its taxonomy
     * @param args what was asked for: name, slug, description, parent
     * @since 0.1.0
     */
    created_term: [termId: number, termTaxonomyId: number, taxonomy: string, args: object]
    /**
     * Fires after a term was changed.
     * @param termId id of the term
     * @param termTaxonomyId the same number; WordPress has two
     * @param taxonomy its taxonomy
     * @param args what was asked for: the fields that change
     * @since 0.1.0
     */
    edited_term: [termId: number, termTaxonomyId: number, taxonomy: string, args: object]
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
     * Fires before a term is deleted; it is still there. Throwing a `RestError` refuses.
     * @param termId id of the term
     * @param taxonomy its taxonomy
     * @since 0.1.0
     */
    pre_delete_term: [termId: number, taxonomy: string]
    /**
     * Fires after a term was made or changed, after `created_term` or `edited_term`.
     * @param termId id of the term
     * @param termTaxonomyId the same number; WordPress has two
     * @param taxonomy its taxonomy
     * @param update whether it existed before
     * @param args what was asked for
     * @since 0.1.0
     */
    saved_term: [termId: number, termTaxonomyId: number, taxonomy: string, update: boolean, args: object]
    /**
     * As `created_term`, for one taxonomy: `created_category`, `created_post_tag`.
     * @param termId id of the term
     * @param termTaxonomyId the same number; WordPress has two
     * @param args what was asked for: name, slug, description, parent
     * @since 0.1.0
     */
    [created: `created_${string}`]: [termId: number, termTaxonomyId: number, args: unknown, ...rest: unknown[]]
    /**
     * As `edited_term`, for one taxonomy: `edited_category`, `edited_post_tag`.
     * @param termId id of the term
     * @param termTaxonomyId the same number; WordPress has two
     * @param args what was asked for: the fields that change
     * @since 0.1.0
     */
    [edited: `edited_${string}`]: [termId: number, termTaxonomyId: number, args: unknown, ...rest: unknown[]]
    /**
     * As `saved_term`, for one taxonomy: `saved_category`, `saved_post_tag`.
     * @param termId id of the term
     * @param termTaxonomyId the same number; WordPress has two
     * @param rest whether it existed before, and what was asked for
     * @since 0.1.0
     */
    [saved: `saved_${string}`]: [termId: number, termTaxonomyId: number, ...rest: unknown[]]
    /**
     * As `delete_term`, for one taxonomy: `delete_category`, `delete_post_tag`.
     * @param termId id it had
     * @param rest the same number, the term as it was, ids of the posts that carried it
     * @since 0.1.0
     */
    [deleted: `delete_${string}`]: [termId: number, ...rest: unknown[]]
    /**
     * Fires after a comment was stored, whatever its status.
     * @param commentId id of the comment
     * @param comment the comment
     * @since 0.1.0
     */
    wp_insert_comment: [commentId: number, comment: Comment]
    /**
     * Fires after a comment was changed: its text, author, date or place; not for its status alone.
     * @param commentId id of the comment
     * @param comment the comment as it is stored now
     * @since 0.1.0
     */
    edit_comment: [commentId: number, comment: Comment]
    /**
     * Fires before a comment is deleted for good. Throwing a `RestError` refuses.
     * @param commentId id of the comment
     * @param comment the comment
     * @since 0.1.0
     */
    delete_comment: [commentId: number, comment: Comment]
    /**
     * Fires after a comment was deleted for good. Its answers moved up to its parent.
     * @param commentId id it had
     * @param comment the comment as it was
     * @since 0.1.0
     */
    deleted_comment: [commentId: number, comment: Comment]
    /**
     * Fires after a comment got another status, before `transition_comment_status`.
     * @param commentId id of the comment
     * @param status `approve`, `hold`, `spam`, `trash`
     * @since 0.1.0
     */
    wp_set_comment_status: [commentId: number, status: string]
    /**
     * Fires after the status of a comment changed.
     * @param newStatus `approved`, `unapproved`, `spam`, `trash`, `delete`
     * @param oldStatus the one it had
     * @param comment the comment; the one that is gone, for `delete`
     * @since 0.1.0
     */
    transition_comment_status: [newStatus: string, oldStatus: string, comment: Comment]
    /**
     * As `transition_comment_status`, for one change: `comment_unapproved_to_approved`.
     * @param comment the comment
     * @since 0.1.0
     */
    [changed: `comment_${string}_to_${string}`]: [comment: Comment]
    /**
     * Fires after `transition_comment_status`, for the status that a comment has now, and on a save that changes none:
     * `comment_approved_comment`, `comment_unapproved_comment`, `comment_spam_comment`. For other types than `comment`
     * the name ends in the type: `comment_approved_pingback`.
     * @param commentId id of the comment
     * @param comment the comment
     * @since 0.1.0
     */
    [arrived: `comment_${string}_comment`]: [commentId: number, comment: Comment]
    /**
     * Fires after a comment was moved to the trash.
     * @param commentId id of the comment
     * @param comment the comment
     * @since 0.1.0
     */
    trashed_comment: [commentId: number, comment: Comment]
    /**
     * Fires after a comment was taken back from the trash.
     * @param commentId id of the comment
     * @param comment the comment
     * @since 0.1.0
     */
    untrashed_comment: [commentId: number, comment: Comment]
    /**
     * Fires after a comment was marked as spam.
     * @param commentId id of the comment
     * @param comment the comment
     * @since 0.1.0
     */
    spammed_comment: [commentId: number, comment: Comment]
    /**
     * Fires after a comment is no longer marked as spam.
     * @param commentId id of the comment
     * @param comment the comment
     * @since 0.1.0
     */
    unspammed_comment: [commentId: number, comment: Comment]
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
