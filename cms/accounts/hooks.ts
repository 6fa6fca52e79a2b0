import type { User } from '../../core/auth/types.ts'
import type { RestError } from '../../core/errors.ts'
import type { FilterShapes } from '../../core/hooks/shapes.ts'
import type { ApplicationPassword } from './types.ts'

declare module '../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * REST was asked with an application password that is right; before the request is answered.
     *
     * @param user - Whose it is.
     * @param uuid - Which of their application passwords; `auth.applicationPasswords.get` has its name.
     * @since 0.1.0
     */
    application_password_did_authenticate: [user: User, uuid: string]

    /**
     * REST was asked with Basic credentials that are wrong.
     *
     * @param error - The error that the client gets.
     * @since 0.1.0
     */
    application_password_failed_authentication: [error: RestError]

    /**
     * An application password has been made.
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
     * @param item - What it was.
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
     * @param userId - Who is asked about.
     * @param cap - What is asked: `edit_user_meta`.
     * @param caps - What editing the user asks for.
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
