import type { User } from '../../core/auth/types.ts'
import type { RestError } from '../../core/errors.ts'
import type { FilterShapes } from '../../core/hooks/shapes.ts'
import { mailMessageShape } from '../mail/message-shape.ts'
import type { MailMessage } from '../mail/types.ts'
import type { ApplicationPassword } from './types.ts'

declare module '../../core/hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires after a failed login: unknown user, wrong password, rejection by `authenticate`, or too many attempts. Not
     * fired for application passwords.
     *
     * @param login - The submitted username or email address.
     * @param error - The error shown to the visitor.
     * @since 0.1.0
     */
    wp_login_failed: [login: string, error: RestError]

    /**
     * Fires when a visitor requests a link to reset a password, before it is sent. Throw a `RestError` to reject the request, for
     * example after a failed captcha; the visitor sees its message.
     *
     * @param login - The submitted username or email address.
     * @param user - The user; `null` if there is none. The response must not depend on it.
     * @since 0.1.0
     */
    lostpassword_post: [login: string, user: User | null]

    /**
     * Fires before a link to set a password is created for a user.
     *
     * @param login - The user's login.
     * @since 0.1.0
     */
    retrieve_password: [login: string]

    /**
     * Fires after a link to set a password is created, before it is sent.
     *
     * @param login - The user's login.
     * @param key - The key in the link. Do not store or log it.
     * @since 0.1.0
     */
    retrieve_password_key: [login: string, key: string]

    /**
     * Fires before a new password is set through a link.
     *
     * @param user - The user.
     * @param password - The new password. Do not store or log it.
     * @since 0.1.0
     */
    password_reset: [user: User, password: string]

    /**
     * Fires after a new password is set through a link and the user's sessions have ended.
     *
     * @param user - The user.
     * @param password - The new password. Do not store or log it.
     * @since 0.1.0
     */
    after_password_reset: [user: User, password: string]

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

  interface AsyncFilters {
    /**
     * Filters the result of a login after the password is checked: return a different user to authenticate against an external directory, such as LDAP,
     * `null` to reject, or throw a `RestError` to reject with your own message, for example to require a second factor.
     *
     * @param user - The user with that name and password; `null` if either is wrong.
     * @param login - The submitted username or email address.
     * @param password - The entered password. Do not store or log it.
     * @since 0.1.0
     */
    authenticate: [user: User | null, login: string, password: string]
  }

  interface Filters {
    /**
     * Filters whether a user may reset their password through a link: return `false` for users whose passwords are managed in
     * an external directory.
     *
     * @param allowed - Whether it is allowed; default `true`.
     * @param userId - ID of the user.
     * @since 0.1.0
     */
    allow_password_reset: [allowed: boolean, userId: number]

    /**
     * Filters how long a link to reset a password is valid.
     *
     * @param seconds - Default: one day.
     * @since 0.1.0
     */
    password_reset_expiration: [seconds: number]

    /**
     * Filters the subject of the email with a link to reset a password.
     *
     * @param title - The subject.
     * @param login - The user's login.
     * @param user - The user.
     * @since 0.1.0
     */
    retrieve_password_title: [title: string, login: string, user: User]

    /**
     * Filters the text of the email with a link to reset a password.
     *
     * @param message - Plain text.
     * @param key - The key in the link. Do not store or log it.
     * @param login - The user's login.
     * @param user - The user.
     * @since 0.1.0
     */
    retrieve_password_message: [message: string, key: string, login: string, user: User]

    /**
     * Filters the text of the email that asks a user to confirm a new email address.
     *
     * @param text - Plain text, with the link.
     * @param change - The new address, the key in the link, and the user.
     * @since 0.1.0
     */
    new_user_email_content: [
      text: string,
      change: { readonly email: string; readonly key: string; readonly user: User },
    ]

    /**
     * Filters the email that invites a new user to set a password.
     *
     * @param message - The email, with the link in its text.
     * @param user - The new user.
     * @param siteTitle - Title of the site.
     * @since 0.1.0
     */
    wp_new_user_notification_email: [message: MailMessage, user: User, siteTitle: string]

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
  authenticate: ['object', 'null'],
  allow_password_reset: { value: 'boolean', onError: 'closed' },
  password_reset_expiration: 'number',
  retrieve_password_title: 'string',
  retrieve_password_message: 'string',
  new_user_email_content: 'string',
  wp_new_user_notification_email: mailMessageShape,
  'auth_user_meta_*': { value: 'boolean', onError: 'closed' },
} satisfies FilterShapes
