import type { FilterShapes } from '../../../../core/hooks/shapes.ts'
import { recordOf } from '../../../../core/hooks/value-checks.ts'
import type { RestRequest } from '../../../../core/rest/types.ts'
import type { NewPost, Post } from '../../types.ts'

declare module '../../../../core/hooks/names.ts' {
  interface AsyncFilters {
    /**
     * Filters a post before REST stores it; `rest_pre_insert_page` and so on for other types. Throw a
     * `RestError` to reject it.
     * @param prepared the fields to write; return a new object
     * @param request the request
     * @since 0.1.0
     */
    rest_pre_insert_post: [prepared: NewPost, request: RestRequest]
    /**
     * Filters whether a post is considered empty and rejected. Applied to types with title, content and excerpt.
     * @param isEmpty whether all three are empty
     * @param post the fields that are written, over those that are there
     * @since 0.1.0
     */
    wp_insert_post_empty_content: [isEmpty: boolean, post: NewPost]
    /**
     * Filters whether a post supports trashing: `rest_post_trashable`, `rest_page_trashable`.
     * @param isTrashable `true`
     * @param post the post
     * @since 0.1.0
     */
    [trashable: `rest_${string}_trashable`]: [isTrashable: boolean, post: Post]
    /**
     * The templates that an author can choose for a post: titles by name. The site adds those of the theme's folder
     * `page-templates`.
     * @param templates titles by name
     * @param type type of the post
     * @since 0.1.0
     */
    theme_templates: [templates: Readonly<Record<string, string>>, type: string]
  }

  interface AsyncActions {
    /**
     * Fires when REST has stored a new or changed post with its meta and terms.
     * @param post what is stored now
     * @param request the request
     * @param creating `false` where it existed before
     * @since 0.1.0
     */
    rest_insert_post: [post: Post, request: RestRequest, creating: boolean]
    /**
     * Fires after `rest_insert_post`, when everything about the post is done.
     * @param post what is stored now
     * @param request the request
     * @param creating `false` where it existed before
     * @since 0.1.0
     */
    rest_after_insert_post: [post: Post, request: RestRequest, creating: boolean]
    /**
     * Fires when REST has trashed or deleted a post.
     * @param post what it was
     * @param response what is answered
     * @param request the request
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
