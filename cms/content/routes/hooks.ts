import type { User } from '../../../core/auth/types.ts'
import type { FilterShapes } from '../../../core/hooks/shapes.ts'
import { json, listOf } from '../../../core/hooks/value-checks.ts'
import type { AccessRequest, RestRequest } from '../../../core/rest/types.ts'
import { newCommentShape } from '../comment-shape.ts'
import { postQueryShape } from '../posts/query-shape.ts'
import type { Comment, NewComment, Post, PostQuery, Term } from '../types.ts'
import { preparedSchema as preparedUserSchema } from './users/write-parameters.ts'

type Data = Readonly<Record<string, unknown>>

declare module '../../../core/hooks/names.ts' {
  interface Filters {
    /**
     * Filters the avatar URL in REST responses.
     * @param url The URL from core, which reveals nothing about the email address.
     * @param name Public name: a user's slug or a commenter's name.
     * @param size Width and height in pixels.
     * @since 0.1.0
     */
    get_avatar_url: [url: string, name: string, size: number]
    /**
     * Filters the roles that can be assigned to users over REST.
     * @param roles Names of all roles.
     * @since 0.1.0
     */
    editable_roles: [roles: readonly string[]]
    /**
     * Filters the reserved login names; case-insensitive.
     * @param logins Reserved names; empty by default.
     * @since 0.1.0
     */
    illegal_user_logins: [logins: readonly string[]]
    /**
     * Filters whether anonymous visitors may comment over REST. It has no effect if only logged-in users may comment.
     * @param allowed Value of the setting; WordPress's default is `false`.
     * @param request The request, before its input is read.
     * @since 0.1.0
     */
    rest_allow_anonymous_comments: [allowed: boolean, request: AccessRequest]
  }

  interface AsyncActions {
    /**
     * Fires after a term, comment, or user is created or updated over REST, before its meta is stored:
     * `rest_insert_category`, `rest_insert_comment`, `rest_insert_user`.
     * @param item The object as it is stored now.
     * @param request The request.
     * @param creating `true` for a new object, `false` for an update.
     * @since 0.1.0
     */
    [inserted: `rest_insert_${string}`]: [item: unknown, request: RestRequest, creating: boolean]
    /**
     * Like `rest_insert_…`, but after the meta is stored: `rest_after_insert_category`, `rest_after_insert_comment`.
     * @param item The object as it is stored now.
     * @param request The request.
     * @param creating `true` for a new object, `false` for an update.
     * @since 0.1.0
     */
    [finished: `rest_after_insert_${string}`]: [item: unknown, request: RestRequest, creating: boolean]
    /**
     * Fires after a term, comment, or user is deleted or trashed over REST: `rest_delete_category`, `rest_delete_user`.
     * @param item The object before it was deleted.
     * @param response The body of the response.
     * @param request The request.
     * @since 0.1.0
     */
    [removed: `rest_delete_${string}`]: [item: unknown, response: unknown, request: RestRequest]
  }

  interface AsyncFilters {
    /**
     * Filters a term or user before it is stored over REST: `rest_pre_insert_category`, `rest_pre_insert_user`. Throw a
     * `RestError` to reject it.
     * @param prepared The fields to write, under the property names that `host.content` and `host.auth` use; return a new object.
     * @param request The request.
     * @since 0.1.0
     */
    [prepared: `rest_pre_insert_${string}`]: [prepared: Data, request: RestRequest]
    /**
     * Filters a new comment before it is stored over REST. Throw a `RestError` to reject it.
     * @param prepared The fields to write; return a new object.
     * @param request The request.
     * @since 0.1.0
     */
    rest_pre_insert_comment: [prepared: NewComment, request: RestRequest]
    /**
     * Filters a post, term, user, comment, type, taxonomy, or status in REST responses: `rest_prepare_post`,
     * `rest_prepare_page`, `rest_prepare_category`, `rest_prepare_user`, `rest_prepare_comment`,
     * `rest_prepare_post_type`, `rest_prepare_taxonomy`, `rest_prepare_status`. `data._links` holds its links.
     * @param data The response; return a new object instead of modifying this one.
     * @param item The object that the response describes.
     * @param request The request.
     * @since 0.1.0
     */
    [prepared: `rest_prepare_${string}`]: [data: Data, item: unknown, request: RestRequest]
    /**
     * Filters a post in responses of `wp/v2/posts`.
     * @param data The response; return a new object instead of modifying this one.
     * @param post The post.
     * @param request The request.
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'word-count',
     *   name: 'Word count',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('rest_prepare_post', (data, post) => ({ ...data, words: post.content.split(/\s+/).length }))
     *   },
     * })
     * ```
     * @since 0.1.0
     */
    rest_prepare_post: [data: Data, post: Post, request: RestRequest]
    /**
     * Filters a page in responses of `wp/v2/pages`.
     * @param data The response; return a new object instead of modifying this one.
     * @param post The page.
     * @param request The request.
     * @since 0.1.0
     */
    rest_prepare_page: [data: Data, post: Post, request: RestRequest]
    /**
     * Filters an attachment in responses of `wp/v2/media`.
     * @param data The response; return a new object instead of modifying this one.
     * @param post The attachment.
     * @param request The request.
     * @since 0.1.0
     */
    rest_prepare_attachment: [data: Data, post: Post, request: RestRequest]
    /**
     * Filters a category in responses of `wp/v2/categories`.
     * @param data The response; return a new object instead of modifying this one.
     * @param term The category.
     * @param request The request.
     * @since 0.1.0
     */
    rest_prepare_category: [data: Data, term: Term, request: RestRequest]
    /**
     * Filters a tag in responses of `wp/v2/tags`.
     * @param data The response; return a new object instead of modifying this one.
     * @param term The tag.
     * @param request The request.
     * @since 0.1.0
     */
    rest_prepare_post_tag: [data: Data, term: Term, request: RestRequest]
    /**
     * Filters a user in responses of `wp/v2/users`.
     * @param data The response; return a new object instead of modifying this one.
     * @param user The user.
     * @param request The request.
     * @since 0.1.0
     */
    rest_prepare_user: [data: Data, user: User, request: RestRequest]
    /**
     * Filters a comment in responses of `wp/v2/comments`.
     * @param data The response; return a new object instead of modifying this one.
     * @param comment The comment.
     * @param request The request.
     * @since 0.1.0
     */
    rest_prepare_comment: [data: Data, comment: Comment, request: RestRequest]
    /**
     * Filters a value in the response of `GET wp/v2/settings`. Return `null` for the stored value.
     * @param value The value to return instead of the stored one; `null` before the first callback.
     * @param name Name of the setting in `wp/v2/settings`, such as `posts_per_page`.
     * @since 0.1.0
     */
    rest_pre_get_setting: [value: unknown, name: string]
    /**
     * Filters whether to skip storing a setting over REST, because a callback has already handled it.
     * @param done Whether a callback has stored it; default `false`.
     * @param name Name of the setting in `wp/v2/settings`, such as `posts_per_page`.
     * @param value The submitted value.
     * @since 0.1.0
     */
    rest_pre_update_setting: [done: boolean, name: string, value: unknown]
    /**
     * Filters the query of a list of posts in `wp/v2`: `rest_post_query`, `rest_page_query`, `rest_attachment_query`,
     * `rest_book_query`. Posts that the caller may not read are excluded from the response in any case. Lists of terms,
     * comments, and users have no such filter.
     * @param query The arguments of `content.posts.query`.
     * @param request The request.
     * @since 0.1.0
     */
    [list: `rest_${string}_query`]: [query: PostQuery, request: RestRequest]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  get_avatar_url: 'string',
  editable_roles: listOf('string'),
  illegal_user_logins: listOf('string'),
  rest_allow_anonymous_comments: 'boolean',
  'rest_pre_insert_*': 'object',
  rest_pre_insert_comment: newCommentShape,
  rest_pre_insert_user: preparedUserSchema,
  'rest_prepare_*': json('object'),
  rest_pre_get_setting: 'any',
  rest_pre_update_setting: 'boolean',
  'rest_*_query': postQueryShape,
} satisfies FilterShapes
