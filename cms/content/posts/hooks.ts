import type { FilterShapes } from '../../../core/hooks/shapes.ts'
import type { NewPost, Post } from '../types.ts'
import { postDataShape } from './post-shape.ts'

type Status = 'new' | 'publish' | 'future' | 'draft' | 'pending' | 'private' | 'trash' | 'auto-draft'

/**
 * `publish_post`, `draft_page`, … Their families can promise nothing about arguments, because `publish_to_draft` belongs
 * to them too; an extension declares the names of its own types.
 */
type SavedWithStatus = {
  [Name in `${'publish' | 'future' | 'draft' | 'pending' | 'private' | 'trash'}_${'post' | 'page'}`]: [
    postId: number,
    post: Post,
    oldStatus: string,
  ]
}

declare module '../../../core/hooks/names.ts' {
  interface AsyncActions extends SavedWithStatus {
    /**
     * Fires before a post is updated; nothing has been written yet. Throw a `RestError` to cancel.
     * @param postId ID of the post.
     * @param data The fields that will be written.
     * @since 0.1.0
     */
    pre_post_update: [postId: number, data: NewPost]
    /**
     * Fires after a save, for one pair of statuses, between `transition_post_status` and `publish_post`:
     * `draft_to_publish`, `new_to_draft`, `publish_to_trash`. An update without a status change fires `publish_to_publish`.
     * @param post The post as it is stored now.
     * @since 0.1.0
     */
    [change: `${Status}_to_${string}`]: [post: Post]
    /**
     * Fires after an existing post is changed, before `post_updated`.
     * @param postId ID of the post.
     * @param post The post as it is stored now.
     * @since 0.1.0
     */
    edit_post: [postId: number, post: Post]
    /**
     * Like `edit_post`, but for one post type, and fires before it: `edit_post_page`.
     * @param postId ID of the post.
     * @param post The post as it is stored now.
     * @since 0.1.0
     */
    [edited: `edit_post_${string}`]: [postId: number, post: Post]
    /**
     * Fires after an attachment is changed, after `edit_attachment`.
     * @param postId ID of the attachment.
     * @param after The attachment as it is stored now.
     * @param before The attachment before the change.
     * @since 0.1.0
     */
    attachment_updated: [postId: number, after: Post, before: Post]
    /**
     * Fires last after a post is created or updated, with its meta, terms, and revisions stored.
     * @param postId ID of the post.
     * @param post The post as it is stored now.
     * @param update Whether it existed before.
     * @param before The post before the change; `null` for a new post.
     * @since 0.1.0
     */
    wp_after_insert_post: [postId: number, post: Post, update: boolean, before: Post | null]
    /**
     * Fires when a scheduled post is published at its scheduled time, before `transition_post_status`. Fires once,
     * regardless of the number of processes.
     * @param postId ID of the post.
     * @since 0.1.0
     */
    publish_future_post: [postId: number]
    /**
     * Fires before a post is moved to the trash. Throw a `RestError` to cancel.
     * @param postId ID of the post.
     * @param previousStatus The current status.
     * @since 0.1.0
     */
    wp_trash_post: [postId: number, previousStatus: string]
    /**
     * Fires after a post is moved to the trash.
     * @param postId ID of the post.
     * @param previousStatus The previous status.
     * @since 0.1.0
     */
    trashed_post: [postId: number, previousStatus: string]
    /**
     * Fires before a post is restored from the trash. Throw a `RestError` to cancel.
     * @param postId ID of the post.
     * @param previousStatus The status before it was trashed.
     * @since 0.1.0
     */
    untrash_post: [postId: number, previousStatus: string]
    /**
     * Fires after a post is restored from the trash.
     * @param postId ID of the post.
     * @param previousStatus The status before it was trashed.
     * @since 0.1.0
     */
    untrashed_post: [postId: number, previousStatus: string]
    /**
     * Fires after `before_delete_post`; the post still exists. Throw a `RestError` to cancel.
     * @param postId ID of the post.
     * @param post The post.
     * @since 0.1.0
     */
    delete_post: [postId: number, post: Post]
    /**
     * Like `delete_post`, but for one post type, and fires before it: `delete_post_page`.
     * @param postId ID of the post.
     * @param post The post.
     * @since 0.1.0
     */
    [deleting: `delete_post_${string}`]: [postId: number, post: Post]
    /**
     * Like `deleted_post`, but for one post type, and fires before it: `deleted_post_page`.
     * @param postId ID of the deleted post.
     * @param post The post before it was deleted.
     * @since 0.1.0
     */
    [deleted: `deleted_post_${string}`]: unknown[]
    /**
     * Fires after a post is deleted permanently, as the last hook of the deletion.
     * @param postId ID of the deleted post.
     * @param post The post before it was deleted.
     * @since 0.1.0
     */
    after_delete_post: [postId: number, post: Post]
    /**
     * Fires after a post is made sticky.
     * @param postId ID of the post.
     * @since 0.1.0
     */
    post_stuck: [postId: number]
    /**
     * Fires after a post's sticky status is removed.
     * @param postId ID of the post.
     * @since 0.1.0
     */
    post_unstuck: [postId: number]
    /**
     * Fires after a revision of a post is stored.
     * @param revisionId ID of the revision.
     * @param postId ID of the post.
     * @since 0.1.0
     */
    _wp_put_post_revision: [revisionId: number, postId: number]
    /**
     * Fires after a revision is deleted: by a client, or because there are more than `wp_revisions_to_keep` allows.
     * @param revisionId ID of the deleted revision.
     * @param postId ID of the post.
     * @since 0.1.0
     */
    wp_delete_post_revision: [revisionId: number, postId: number]
    /**
     * Fires before an autosave is stored. Throw a `RestError` to cancel.
     * @param autosave The post with the text to be stored.
     * @param isNew Always `true`: an autosave replaces the user's previous one.
     * @since 0.1.0
     */
    wp_creating_autosave: [autosave: Post, isNew: boolean]
  }

  interface AsyncFilters {
    /**
     * Filters the title of a post before it is written, if the save includes a title. Runs before `wp_insert_post_data`.
     * @param title The title.
     * @since 0.1.0
     */
    title_save_pre: [title: string]
    /**
     * Filters the content of a post before it is written, if the save includes content. Runs before `wp_insert_post_data`. HTML
     * that a REST client may not write has already been removed.
     * @param content The content.
     * @since 0.1.0
     */
    content_save_pre: [content: string]
    /**
     * Filters the excerpt of a post before it is written, if the save includes an excerpt. Runs before `wp_insert_post_data`.
     * @param excerpt The excerpt.
     * @since 0.1.0
     */
    excerpt_save_pre: [excerpt: string]
    /**
     * Filters a post before it is created or updated. Throw a `RestError` to reject it.
     * @param data All fields of the post, including the changes; return a new object.
     * @param changes The requested changes, and the ID if the post exists.
     * @param unsanitized The same as `changes`; HTML that a REST client may not write has already been removed.
     * @param update Whether it existed before.
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'tidy-titles',
     *   name: 'Tidy titles',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('wp_insert_post_data', (data) => ({ ...data, title: data.title?.trim() }))
     *   },
     * })
     * ```
     */
    wp_insert_post_data: [data: NewPost, changes: NewPost, unsanitized: NewPost, update: boolean]
  }

  interface Filters {
    /**
     * Filters the number of revisions to store for a post; negative for all, 0 for none.
     * @param limit `-1`, or 0 for a type without revisions.
     * @param post The post before the save.
     * @since 0.1.0
     */
    wp_revisions_to_keep: [limit: number, post: Post]
    /**
     * Like `wp_revisions_to_keep`, but for one post type, and applied after it: `wp_page_revisions_to_keep`.
     * @param limit Number of revisions.
     * @param post The post before the save.
     * @since 0.1.0
     */
    [keep: `wp_${string}_revisions_to_keep`]: [limit: number, post: Post]
    /**
     * Filters whether a revision is stored only if the text has changed. Runs during the save: do not query the
     * database.
     * @param check Whether the text must have changed; default `true`.
     * @param latest The latest revision.
     * @param post The post as it is stored now.
     * @since 0.1.0
     */
    wp_save_post_revision_check_for_changes: [check: boolean, latest: Post, post: Post]
    /**
     * Filters whether a post differs from its latest revision, so that a new one is stored. Runs during the save: do not
     * query the database.
     * @param changed Whether the title, content, or excerpt differs.
     * @param latest The latest revision.
     * @param post The post as it is stored now.
     * @since 0.1.0
     */
    wp_save_post_revision_post_has_changed: [changed: boolean, latest: Post, post: Post]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  title_save_pre: 'string',
  content_save_pre: 'string',
  excerpt_save_pre: 'string',
  wp_insert_post_data: postDataShape,
  wp_revisions_to_keep: 'number',
  'wp_*_revisions_to_keep': 'number',
  wp_save_post_revision_check_for_changes: 'boolean',
  wp_save_post_revision_post_has_changed: 'boolean',
} satisfies FilterShapes
