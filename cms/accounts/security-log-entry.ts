/** Types of events that core records in the security log; also used by the admin. */
export type SecurityEvent =
  | 'sign_in'
  | 'sign_in_failed'
  /** Rejected without checking the password, because too many attempts failed. */
  | 'sign_in_blocked'
  | 'sign_out'
  | 'sessions_ended'
  | 'password_confirmation_failed'
  | 'password_changed'
  /** A visitor requested a link to set a new password. */
  | 'password_link_requested'
  /** Another user, or a command, created a link to set a new password. */
  | 'password_link_sent'
  /** A new password was set through a link. */
  | 'password_reset'
  /** An authenticator app was set up, or removed with the recovery codes. */
  | 'two_factor_enabled'
  | 'two_factor_disabled'
  /** A wrong code after the right password. */
  | 'two_factor_failed'
  | 'passkey_added'
  | 'passkey_removed'
  /** A passkey that could not be verified. */
  | 'passkey_failed'
  | 'recovery_codes_created'
  | 'recovery_code_used'
  | 'email_changed'
  | 'roles_changed'
  | 'user_created'
  | 'user_deleted'
  | 'application_password_created'
  | 'application_password_revoked'
  | 'application_password_failed'
  /** A user gave an application access with OAuth, or ended it. */
  | 'oauth_client_authorized'
  | 'oauth_client_revoked'
  /** A code or refresh token was used a second time, which ended the access of its application. */
  | 'oauth_token_reused'
  | 'extension_activated'
  | 'extension_deactivated'
  | 'extension_reloaded'
  | 'extension_installed'
  | 'extension_updated'
  | 'extension_removed'
  | 'theme_switched'
  | 'theme_installed'
  | 'theme_removed'
  | 'site_email_changed'
  | 'license_changed'

/** One line of the security log: an event, or several equal ones of one hour. */
export interface SecurityLogEntry {
  readonly id: number
  readonly event: string
  /** Number of occurrences. */
  readonly count: number
  /** ISO 8601, UTC: when it happened first and last. */
  readonly first: string
  readonly last: string
  /** The account concerned, by its name at that time; `null` for no account or an unknown one. */
  readonly user: { readonly id: number; readonly login: string } | null
  /** The user who caused it; `null` for anonymous visitors, commands and the site itself. */
  readonly actor: { readonly id: number; readonly login: string } | null
  /** From which network, `203.0.113.0/24` or `2001:db8:1::/48`; empty for what came through no network. */
  readonly network: string
  readonly userAgent: string
  readonly detail: Readonly<Record<string, string | number | readonly string[]>>
}
