import type { FilterShapes } from '../../../core/hooks/shapes.ts'
import { listOf } from '../../../core/hooks/value-checks.ts'

declare module '../../../core/hooks/names.ts' {
  interface AsyncFilters {
    /**
     * Filters the primitive capabilities required to read a post, after the synchronous `map_meta_cap`; callbacks of
     * this filter may be asynchronous. Pages, lists, REST, feeds, search, sitemaps, and all services apply it, for
     * anonymous visitors too, so one callback protects a post everywhere.
     *
     * @param caps - The required capabilities; the user needs all of them. An empty list allows everyone, `do_not_allow` no one.
     * @param postId - The post.
     * @param userId - The user's ID; 0 for an anonymous visitor.
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * declare module 'pentad' {
     *   interface Capabilities {
     *     read_members: true
     *   }
     * }
     *
     * export default defineExtension({
     *   id: 'members',
     *   name: 'Members',
     *   version: '1.0.0',
     *   setup({ auth, content, hooks }) {
     *     auth.addRole('member', 'Member', ['read', 'read_members'])
     *     hooks.addFilter('read_post_caps', async (caps, postId) =>
     *       (await content.meta.get('post', postId, 'members_only')) ? [...caps, 'read_members'] : caps,
     *     )
     *   },
     * })
     * ```
     * @since 0.1.0
     */
    read_post_caps: [caps: readonly string[], postId: number, userId: number]
  }

  interface Filters {
    /**
     * Filters whether a user may write a meta key of an object that they can edit: `auth_post_meta_price`. By default,
     * users may write all keys except those that start with an underscore.
     *
     * @param allowed - Whether the user may write the key.
     * @param metaKey - The key.
     * @param objectId - ID of the post, term, or comment.
     * @param userId - The user's ID.
     * @param cap - The capability: `edit_post_meta`.
     * @param caps - Capabilities required for editing the object itself.
     * @since 0.1.0
     */
    [name: `auth_${'post' | 'term' | 'comment'}_meta_${string}`]: [
      allowed: boolean,
      metaKey: string,
      objectId: number,
      userId: number,
      cap: string,
      caps: readonly string[],
    ]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  read_post_caps: { value: listOf('string'), onError: 'closed' },
  'auth_post_meta_*': { value: 'boolean', onError: 'closed' },
  'auth_term_meta_*': { value: 'boolean', onError: 'closed' },
  'auth_comment_meta_*': { value: 'boolean', onError: 'closed' },
} satisfies FilterShapes
