import type { RestError } from '../errors.ts'
import type { FilterShapes } from '../hooks/shapes.ts'
import { listOf, recordOf } from '../hooks/value-checks.ts'
import type { User } from './types.ts'

declare module '../hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires after a user has logged in and the session exists.
     *
     * @param login - The user's login, even if an email address was entered.
     * @param user - Who it is.
     * @since 0.1.0
     */
    wp_login: [login: string, user: User]

    /**
     * Fires after a failed sign-in: unknown name, wrong password, or rejected by `authenticate`; also when an
     * attempt is rejected because there were too many. Not for application passwords.
     *
     * @param login - The submitted name or e-mail address.
     * @param error - The error shown to the visitor.
     * @since 0.1.0
     */
    wp_login_failed: [login: string, error: RestError]

    /**
     * A user has signed out; the session has ended.
     *
     * @param userId - Who it was.
     * @since 0.1.0
     */
    wp_logout: [userId: number]

    /**
     * A user has been created.
     *
     * @param userId - The new user's id.
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
     * A user's record has changed.
     *
     * @param userId - Whose.
     * @param oldUser - As it was before.
     * @param user - As it is now.
     * @since 0.1.0
     */
    profile_update: [userId: number, oldUser: User, user: User]

    /**
     * Fires after a user's roles changed and their sessions ended, and for a new user before `user_register`.
     *
     * @param userId - Whose.
     * @param role - The first of the new roles, or empty for none.
     * @param oldRoles - The roles until now.
     * @since 0.1.0
     */
    set_user_role: [userId: number, role: string, oldRoles: readonly string[]]

    /**
     * A user got a role, before `set_user_role`.
     *
     * @param userId - Id of the user.
     * @param role - Name of the role.
     * @since 0.1.0
     */
    add_user_role: [userId: number, role: string]

    /**
     * A user lost a role, before `add_user_role` and `set_user_role`.
     *
     * @param userId - Id of the user.
     * @param role - Name of the role.
     * @since 0.1.0
     */
    remove_user_role: [userId: number, role: string]

    /**
     * A user is about to be deleted and is still there.
     *
     * @param userId - Whose.
     * @param reassign - Id of the user who receives the posts; `null` if they are not reassigned.
     * @param user - Who it is.
     * @since 0.1.0
     */
    delete_user: [userId: number, reassign: number | null, user: User]

    /**
     * A user has been deleted, with sessions, application passwords and meta.
     *
     * @param userId - The id of the deleted user.
     * @param reassign - Id of the user who receives the posts; `null` if they are not reassigned.
     * @param user - Who it was.
     * @since 0.1.0
     */
    deleted_user: [userId: number, reassign: number | null, user: User]
  }

  interface AsyncFilters {
    /**
     * Decides who signs in on the sign-in page, after the password has been checked: return another user to let in
     * someone that another directory knows, `null` to reject, or throw a `RestError` to reject with a message of your
     * own (a second factor).
     *
     * @param user - Whose name and password were given, or `null` if they are wrong.
     * @param login - The submitted name or e-mail address.
     * @param password - The entered password. Do not store or log it.
     * @since 0.1.0
     */
    authenticate: [user: User | null, login: string, password: string]
  }

  interface Filters {
    /**
     * Filters the primitive capabilities that a capability requires. Its result for `read_post` applies wherever a post
     * is shown or named; a callback that has to look something up for that takes `read_post_caps`.
     *
     * @param caps - Every one of them is needed; none: every user may. `do_not_allow` denies.
     * @param cap - The capability: `edit_post`.
     * @param userId - The user's id; 0 for an anonymous visitor.
     * @param args - The object: usually the id of a post, term, comment or user.
     * @since 0.1.0
     */
    map_meta_cap: [caps: readonly string[], cap: string, userId: number, args: readonly (number | string)[]]

    /**
     * Filters the capabilities of a user, each time one is checked.
     *
     * @param allcaps - Capabilities by name; only `true` counts. A copy that may be changed.
     * @param caps - The primitive capabilities that are needed now.
     * @param args - The capability, the user's id, and the object.
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

/** What these filters may return at run time. */
export const filterShapes = {
  authenticate: ['object', 'null'],
  map_meta_cap: { value: listOf('string'), onError: 'closed' },
  user_has_cap: { value: recordOf('boolean'), onError: 'closed' },
} satisfies FilterShapes
