import type { Identity, SecurityEventDetails, SessionClient, SignedIn, User } from '../../core/auth/types.ts'
import type { OAuth } from './oauth/types.ts'
import type { SecurityEvent, SecurityLogEntry } from './security-log-entry.ts'

export type { SecurityEvent, SecurityLogEntry }

declare module '../../core/auth/types.ts' {
  interface Auth extends PasswordConfirmation {
    /**
     * Logs a user in by login name or email address. Fires `wp_login` or `wp_login_failed`.
     * @throws RestError 401 `incorrect_password`, 429 `rest_too_many_requests`, or what the `authenticate` filter throws
     */
    signIn(credentials: SignIn): Promise<SignedIn>
    readonly applicationPasswords: ApplicationPasswords
    readonly securityLog: SecurityLog
    readonly oauth: OAuth
    /**
     * Value of the `Set-Cookie` header that identifies the device at the next login: failures from the same address then no longer lock out
     * the user. It gives no access.
     */
    deviceCookie(user: Pick<User, 'id'>): string
  }
}

export interface SignIn extends SessionClient {
  readonly login: string
  readonly password: string
  /** The `Cookie` header: a browser in which the user has logged in before is not locked out by failures from elsewhere. */
  readonly cookie?: string | undefined
}

export interface ApplicationPassword {
  readonly uuid: string
  readonly appId: string
  readonly name: string
  /** ISO 8601, UTC. */
  readonly created: string
  readonly lastUsed: string | null
  readonly lastAddress: string | null
}

export interface ApplicationPasswords {
  list(userId: number): Promise<ApplicationPassword[]>
  get(userId: number, uuid: string): Promise<ApplicationPassword | undefined>
  /** `password` is shown once: 24 letters and digits in groups of four. @throws RestError `application_password_duplicate_name` */
  create(userId: number, name: string, appId?: string): Promise<ApplicationPassword & { password: string }>
  /** @throws RestError `application_password_not_found` */
  rename(userId: number, uuid: string, name: string): Promise<ApplicationPassword>
  /** Without a uuid: all of the user's. Resolves to how many there were. */
  revoke(userId: number, uuid?: string): Promise<number>
}

/** Password confirmation before actions that could hand over an account or the site. */
export interface PasswordConfirmation {
  /**
   * Confirms a session with the user's current password. Failed attempts count toward the same rate limit as the login form.
   *
   * @param address - The client's address.
   * @returns until when `requireConfirmation` lets the session pass, ISO 8601, UTC
   * @throws RestError 401 `rest_not_logged_in`, 403 `incorrect_password`, 403 `application_password_forbidden`,
   * 429 `rest_too_many_requests`, or what the `authenticate` filter throws
   */
  confirmPassword(identity: Identity, password: string, address: string): Promise<{ readonly expires: string }>
  /**
   * Lets a request pass if its session was confirmed within the last ten minutes. For changes to passwords, email addresses
   * and application passwords, for restores, and for other sensitive operations of extensions. Requests with an application
   * password never pass; internal requests without a session (the CLI) always do.
   *
   * @throws RestError 403 `password_confirmation_required`, 403 `application_password_forbidden`, 401 `rest_not_logged_in`
   *
   * @example
   * ```ts
   * import { defineExtension, success } from 'pentad'
   *
   * export default defineExtension({
   *   id: 'payouts',
   *   name: 'Payouts',
   *   version: '1.0.0',
   *   setup({ auth, rest }) {
   *     rest.registerRoute('payouts/v1', {
   *       method: 'POST',
   *       path: '/payouts',
   *       access: 'manage_options',
   *       async handler({ identity }) {
   *         await auth.requireConfirmation(identity)
   *         return success({ paid: true })
   *       },
   *     })
   *   },
   * })
   * ```
   */
  requireConfirmation(identity: Identity): Promise<void>
}

export interface SecurityLogQuery {
  readonly events?: readonly string[] | undefined
  /** Entries about this user, and those of what they did. */
  readonly userId?: number | undefined
  /** Milliseconds since 1970. */
  readonly after?: number | undefined
  readonly before?: number | undefined
  readonly limit: number
  readonly offset: number
}

/** Logins, failed logins, and security-relevant changes; stored for a year. */
export interface SecurityLog {
  /**
   * Records an event, with the user and the network of the current request, if any. Never rejects, and never takes longer than a second,
   * so that the log does not block the recorded action.
   *
   * @param event - One of core's, or `<extension>_<what happened>` of an extension.
   *
   * @example
   * ```ts
   * import { defineExtension } from 'pentad'
   *
   * export default defineExtension({
   *   id: 'payouts',
   *   name: 'Payouts',
   *   version: '1.0.0',
   *   async setup({ auth }) {
   *     await auth.securityLog.record('payouts_account_changed', { detail: { account: 'DE…42' } })
   *   },
   * })
   * ```
   */
  record(event: SecurityEvent | (string & {}), details?: SecurityEventDetails): Promise<void>
  /** The newest first. */
  query(query: SecurityLogQuery): Promise<{ items: SecurityLogEntry[]; total: number }>
}
