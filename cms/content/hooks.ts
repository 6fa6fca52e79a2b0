import type { FilterShapes } from '../../core/hooks/shapes.ts'
import type { Post, PostType, Taxonomy, Term } from './types.ts'

declare module '../../core/hooks/names.ts' {
  interface Actions {
    /**
     * Fires after a post type is registered, including when a reloaded extension registers it again.
     * @param name Name of the post type, such as `book`.
     * @param type The type.
     * @since 0.1.0
     */
    registered_post_type: [name: string, type: PostType]
    /**
     * Fires after a post type is unregistered. An earlier registration with the same name applies again, if there is
     * one.
     * @param name Name of the post type, such as `book`.
     * @since 0.1.0
     */
    unregistered_post_type: [name: string]
    /**
     * Fires after a taxonomy is registered, including when a reloaded extension registers it again.
     * @param name Name of the taxonomy, such as `genre`.
     * @param types Names of the post types that have this taxonomy.
     * @param taxonomy The taxonomy.
     * @since 0.1.0
     */
    registered_taxonomy: [name: string, types: readonly string[], taxonomy: Taxonomy]
    /**
     * Fires after a taxonomy is unregistered. An earlier registration with the same name applies again, if there is
     * one.
     * @param name Name of the taxonomy, such as `genre`.
     * @since 0.1.0
     */
    unregistered_taxonomy: [name: string]
  }

  interface AsyncActions {
    /**
     * Fires after the permalink structure changes and the paths of all posts are updated, including when a change
     * to the default category updated the paths.
     * @param before The previous structure, such as `/%postname%/`; empty for plain permalinks.
     * @param after The new structure.
     * @since 0.1.0
     */
    permalink_structure_changed: [before: string, after: string]
    /**
     * Fires after a post is saved, even if its status does not change. The old status of a new post is `new`. Not fired
     * for attachments, as in WordPress.
     * @param newStatus The current status.
     * @param oldStatus The previous status.
     * @param post The post as it is stored now.
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
     * Fires after a post of a type is saved as published: `publish_post`, `publish_page`. Fires on every save, not
     * only when the status changed; use `transition_post_status` to distinguish the two. For posts and pages its arguments are
     * typed; an extension declares the names of its own types: `publish_book: [postId: number, post: Post, oldStatus:
     * string]` in `AsyncActions`.
     * @param postId ID of the post.
     * @param post The post as it is stored now.
     * @param oldStatus The previous status; `new` for a new post.
     * @since 0.1.0
     */
    [published: `publish_${string}`]: unknown[]
    /**
     * Like `publish_…`, but for a post saved as scheduled: `future_post`.
     * @param postId ID of the post.
     * @param post The post as it is stored now.
     * @param oldStatus The previous status.
     * @since 0.1.0
     */
    [scheduled: `future_${string}`]: unknown[]
    /**
     * Like `publish_…`, but for a post saved as a draft: `draft_post`.
     * @param postId ID of the post.
     * @param post The post as it is stored now.
     * @param oldStatus The previous status.
     * @since 0.1.0
     */
    [drafted: `draft_${string}`]: unknown[]
    /**
     * Like `publish_…`, but for a post pending review: `pending_post`.
     * @param postId ID of the post.
     * @param post The post as it is stored now.
     * @param oldStatus The previous status.
     * @since 0.1.0
     */
    [submitted: `pending_${string}`]: unknown[]
    /**
     * Like `publish_…`, but for a post saved as private: `private_post`.
     * @param postId ID of the post.
     * @param post The post as it is stored now.
     * @param oldStatus The previous status.
     * @since 0.1.0
     */
    [hidden: `private_${string}`]: unknown[]
    /**
     * Like `publish_…`, but for a post moved to the trash: `trash_post`.
     * @param postId ID of the post.
     * @param post The post as it is stored now.
     * @param oldStatus The previous status.
     * @since 0.1.0
     */
    [trashed: `trash_${string}`]: unknown[]
    /**
     * Fires after an existing post is changed, before `save_post`.
     * @param postId ID of the post.
     * @param after The post as it is stored now.
     * @param before The post before the change.
     * @since 0.1.0
     */
    post_updated: [postId: number, after: Post, before: Post]
    /**
     * Fires after a post is created or updated, with its meta and terms stored. Not fired for attachments, as in
     * WordPress: they have `add_attachment` and `edit_attachment`.
     * @param postId ID of the post.
     * @param post The post as it is stored now.
     * @param update Whether it existed before.
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
     * Like `save_post`, but for one post type, and fires before it: `save_post_page`.
     * @param postId ID of the post.
     * @param post The post as it is stored now.
     * @param update Whether it existed before.
     * @since 0.1.0
     */
    [saved: `save_post_${string}`]: [postId: number, post: Post, update: boolean]
    /**
     * Fires after `save_post`, with the same arguments.
     * @param postId ID of the post.
     * @param post The post as it is stored now.
     * @param update Whether it existed before.
     * @since 0.1.0
     */
    wp_insert_post: [postId: number, post: Post, update: boolean]
    /**
     * Fires after an attachment is created.
     * @param postId ID of the attachment.
     * @since 0.1.0
     */
    add_attachment: [postId: number]
    /**
     * Fires after an attachment is changed.
     * @param postId ID of the attachment.
     * @since 0.1.0
     */
    edit_attachment: [postId: number]
    /**
     * Fires before a post is deleted permanently. Throw a `RestError` to cancel.
     * @param postId ID of the post.
     * @param post The post.
     * @since 0.1.0
     */
    before_delete_post: [postId: number, post: Post]
    /**
     * Fires after a post is deleted permanently with its meta, terms, comments, and revisions.
     * @param postId ID of the deleted post.
     * @param post The post before it was deleted.
     * @since 0.1.0
     */
    deleted_post: [postId: number, post: Post]
  }

  interface Filters {
    /**
     * Filters the slug generated from a title, before it is made unique.
     * @param slug The slug generated by core.
     * @param title The title it was generated from.
     * @since 0.1.0
     */
    sanitize_title: [slug: string, title: string]
    /**
     * Filters the URL of a post in every link: on pages, in feeds, sitemaps, and REST. Requests are still matched by the
     * permalink structure, and `post.path` does not change: to serve a post at a different path, also handle requests for that path.
     * @param url Absolute URL.
     * @param post The post.
     * @since 0.1.0
     */
    post_link: [url: string, post: Post]
    /**
     * Like `post_link`, but for pages.
     * @param url Absolute URL.
     * @param postId ID of the page.
     * @since 0.1.0
     */
    page_link: [url: string, postId: number]
    /**
     * Like `post_link`, but for attachment pages.
     * @param url Absolute URL.
     * @param postId ID of the attachment.
     * @since 0.1.0
     */
    attachment_link: [url: string, postId: number]
    /**
     * Like `post_link`, but for posts of all other types.
     * @param url Absolute URL.
     * @param post The post.
     * @since 0.1.0
     */
    post_type_link: [url: string, post: Post]
    /**
     * Filters the URL of a term archive in every link. As for `post_link`, requests are still matched by the permalink
     * structure.
     * @param url Absolute URL.
     * @param term The term.
     * @param taxonomy Name of the taxonomy, such as `category`.
     * @since 0.1.0
     */
    term_link: [url: string, term: Term, taxonomy: string]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  sanitize_title: 'string',
  post_link: 'string',
  page_link: 'string',
  attachment_link: 'string',
  post_type_link: 'string',
  term_link: 'string',
} satisfies FilterShapes
