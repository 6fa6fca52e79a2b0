import type { FilterShapes } from '../hooks/shapes.ts'
import { listOf, recordOf } from '../hooks/value-checks.ts'
import type { User } from './types.ts'

declare module '../hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires after a user logs in and the session is created.
     *
     * @param login - The user's login, even if an email address was entered.
     * @param user - The user.
     * @since 0.1.0
     */
    wp_login: [login: string, user: User]

    /**
     * Fires after a user logs out and the session ends.
     *
     * @param userId - ID of the user.
     * @since 0.1.0
     */
    wp_logout: [userId: number]

    /**
     * Fires after a user is created.
     *
     * @param userId - The new user's ID.
     * @param user - The new user.
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'welcome',
     *   name: 'Welcome',
     *   version: '1.0.0',
     *   setup({ hooks, log }) {
     *     hooks.addAction('user_register', (userId, user) => {
     *       log.info({ userId, slug: user.slug }, 'new user')
     *     })
     *   },
     * })
     * ```
     */
    user_register: [userId: number, user: User]

    /**
     * Fires after a user is updated.
     *
     * @param userId - ID of the user.
     * @param oldUser - The user before the change.
     * @param user - The user after the change.
     * @since 0.1.0
     */
    profile_update: [userId: number, oldUser: User, user: User]

    /**
     * Fires after a user's roles change and their sessions end, and for a new user before `user_register`.
     *
     * @param userId - ID of the user.
     * @param role - The first of the new roles; empty if there are none.
     * @param oldRoles - The previous roles.
     * @since 0.1.0
     */
    set_user_role: [userId: number, role: string, oldRoles: readonly string[]]

    /**
     * Fires after a user is given a role, before `set_user_role`.
     *
     * @param userId - ID of the user.
     * @param role - Name of the role.
     * @since 0.1.0
     */
    add_user_role: [userId: number, role: string]

    /**
     * Fires after a role is removed from a user, before `add_user_role` and `set_user_role`.
     *
     * @param userId - ID of the user.
     * @param role - Name of the role.
     * @since 0.1.0
     */
    remove_user_role: [userId: number, role: string]

    /**
     * Fires before a user is deleted.
     *
     * @param userId - ID of the user.
     * @param reassign - ID of the user who receives the posts; `null` if they are not reassigned.
     * @param user - The user.
     * @since 0.1.0
     */
    delete_user: [userId: number, reassign: number | null, user: User]

    /**
     * Fires after a user is deleted along with their sessions, application passwords, and meta.
     *
     * @param userId - The ID of the deleted user.
     * @param reassign - ID of the user who receives the posts; `null` if they are not reassigned.
     * @param user - The deleted user.
     * @since 0.1.0
     */
    deleted_user: [userId: number, reassign: number | null, user: User]
  }

  interface Filters {
    /**
     * Filters the primitive capabilities that a capability requires. Its result for `read_post` applies wherever a post
     * is displayed or listed; if a callback needs a query to decide that, use `read_post_caps`.
     *
     * @param caps - The required capabilities; the user needs all of them. An empty list allows everyone, `do_not_allow` no one.
     * @param cap - The capability: `edit_post`.
     * @param userId - The user's ID; 0 for an anonymous visitor.
     * @param args - The object: usually the ID of a post, term, comment, or user.
     * @since 0.1.0
     */
    map_meta_cap: [caps: readonly string[], cap: string, userId: number, args: readonly (number | string)[]]

    /**
     * Filters the capabilities of a user each time a capability is checked.
     *
     * @param allcaps - Capabilities by name; only `true` grants one. A copy that you may modify.
     * @param caps - The primitive capabilities that are required.
     * @param args - The capability, the user's ID, and the object.
     * @param user - The user; `null` for an anonymous visitor.
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'editors-see-settings',
     *   name: 'Editors see the settings',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('user_has_cap', (allcaps, caps, args, user) =>
     *       user?.roles.includes('editor') ? { ...allcaps, manage_options: true } : allcaps,
     *     )
     *   },
     * })
     * ```
     */
    user_has_cap: [
      allcaps: Record<string, boolean>,
      caps: readonly string[],
      args: readonly [cap: string, userId: number, ...(number | string)[]],
      user: User | null,
    ]
  }
}

/** Run-time shapes of these filters. */
export const filterShapes = {
  map_meta_cap: { value: listOf('string'), onError: 'closed' },
  user_has_cap: { value: recordOf('boolean'), onError: 'closed' },
} satisfies FilterShapes
