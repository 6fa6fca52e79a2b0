import type { FilterShapes } from '../../../../core/hooks/shapes.ts'
import { recordOf } from '../../../../core/hooks/value-checks.ts'
import type { RestRequest } from '../../../../core/rest/types.ts'
import type { NewPost, Post } from '../../types.ts'

declare module '../../../../core/hooks/names.ts' {
  interface AsyncFilters {
    /**
     * Filters a post before it is stored over REST; `rest_pre_insert_page` and so on for other types. Throw a
     * `RestError` to reject it.
     * @param prepared The fields to write; return a new object.
     * @param request The request.
     * @since 0.1.0
     */
    rest_pre_insert_post: [prepared: NewPost, request: RestRequest]
    /**
     * Filters whether a post is considered empty and rejected. Applied to types with a title, content, and an excerpt.
     * @param isEmpty Whether the title, content, and excerpt are all empty.
     * @param post The stored fields, overridden by the fields to be written.
     * @since 0.1.0
     */
    wp_insert_post_empty_content: [isEmpty: boolean, post: NewPost]
    /**
     * Filters whether a post supports trashing: `rest_post_trashable`, `rest_page_trashable`.
     * @param isTrashable Whether it supports trashing; default `true`.
     * @param post The post.
     * @since 0.1.0
     */
    [trashable: `rest_${string}_trashable`]: [isTrashable: boolean, post: Post]
    /**
     * Filters the templates that authors can choose for a post. The theme's `page-templates` folder provides the
     * default ones.
     * @param templates Titles by name.
     * @param type Type of the post.
     * @since 0.1.0
     */
    theme_templates: [templates: Readonly<Record<string, string>>, type: string]
  }

  interface AsyncActions {
    /**
     * Fires after a post is created or updated over REST with its meta and terms.
     * @param post The post as it is stored now.
     * @param request The request.
     * @param creating `true` for a new object, `false` for an update.
     * @since 0.1.0
     */
    rest_insert_post: [post: Post, request: RestRequest, creating: boolean]
    /**
     * Fires after `rest_insert_post`, when the save is complete.
     * @param post The post as it is stored now.
     * @param request The request.
     * @param creating `true` for a new object, `false` for an update.
     * @since 0.1.0
     */
    rest_after_insert_post: [post: Post, request: RestRequest, creating: boolean]
    /**
     * Fires after a post is deleted or trashed over REST.
     * @param post The post before it was deleted.
     * @param response The body of the response.
     * @param request The request.
     * @since 0.1.0
     */
    rest_delete_post: [post: Post, response: unknown, request: RestRequest]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  wp_insert_post_empty_content: 'boolean',
  'rest_*_trashable': 'boolean',
  theme_templates: recordOf('string'),
} satisfies FilterShapes
