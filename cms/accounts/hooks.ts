import type { User } from '../../core/auth/types.ts'
import type { RestError } from '../../core/errors.ts'
import type { FilterShapes } from '../../core/hooks/shapes.ts'
import type { ApplicationPassword } from './types.ts'

declare module '../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires after a REST request is authenticated with an application password, before it is handled.
     *
     * @param user - The authenticated user.
     * @param uuid - UUID of the application password; `auth.applicationPasswords.get` returns its name.
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
     * Fires after an application password is created.
     *
     * @param userId - ID of the user.
     * @param item - The new application password, without the password itself.
     * @param password - The password in plain text. It is shown once and never stored.
     * @since 0.1.0
     */
    wp_create_application_password: [userId: number, item: ApplicationPassword, password: string]

    /**
     * Fires after an application password is revoked, once for each revoked application password.
     *
     * @param userId - ID of the user.
     * @param item - The revoked application password.
     * @since 0.1.0
     */
    wp_delete_application_password: [userId: number, item: ApplicationPassword]
  }

  interface Filters {
    /**
     * Filters whether a user may write a meta key of a user whom they can edit: `auth_user_meta_phone`. By default,
     * users may write all keys except those that start with an underscore.
     *
     * @param allowed - Whether the user may write the key.
     * @param metaKey - The key.
     * @param objectId - ID of the user whose meta is written.
     * @param userId - The user's ID.
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
