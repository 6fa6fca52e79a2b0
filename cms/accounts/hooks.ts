import type { User } from '../../core/auth/types.ts'
import type { RestError } from '../../core/errors.ts'
import type { FilterShapes } from '../../core/hooks/shapes.ts'
import type { ApplicationPassword } from './types.ts'

declare module '../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires when a REST request was authenticated with an application password, before it is handled.
     *
     * @param user - Whose it is.
     * @param uuid - Which of their application passwords; `auth.applicationPasswords.get` has its name.
     * @since 0.1.0
     */
    application_password_did_authenticate: [user: User, uuid: string]

    /**
     * Fires when the Basic credentials of a REST request are invalid.
     *
     * @param error - The error that the client receives.
     * @since 0.1.0
     */
    application_password_failed_authentication: [error: RestError]

    /**
     * Fires after an application password was created.
     *
     * @param userId - Whose it is.
     * @param item - The new one, without the password itself.
     * @param password - The password, which is shown once and stored nowhere.
     * @since 0.1.0
     */
    wp_create_application_password: [userId: number, item: ApplicationPassword, password: string]

    /**
     * An application password has been revoked; of several at once, each in its turn.
     *
     * @param userId - Whose it was.
     * @param item - The deleted item.
     * @since 0.1.0
     */
    wp_delete_application_password: [userId: number, item: ApplicationPassword]
  }

  interface Filters {
    /**
     * Filters whether a user may write one meta key of a user whom they may edit: `auth_user_meta_phone`.
     * Without a say, all keys but those that begin with an underscore.
     *
     * @param allowed - Whether they may.
     * @param metaKey - The key.
     * @param objectId - Id of the user.
     * @param userId - The user's id.
     * @param cap - The capability: `edit_user_meta`.
     * @param caps - Capabilities required for editing the user.
     * @since 0.1.0
     */
    [name: `auth_user_meta_${string}`]: [
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
  'auth_user_meta_*': { value: 'boolean', onError: 'closed' },
} satisfies FilterShapes
