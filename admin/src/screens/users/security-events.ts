import type { SecurityEvent, SecurityLogEntry } from '../../../../cms/accounts/security-log-entry.ts'
import { __ } from '../../i18n.ts'

const NAMES: Readonly<Record<string, string>> = {
  sign_in: __('Logged in', 'pentad'),
  sign_in_failed: __('Login failed', 'pentad'),
  sign_in_blocked: __('Login blocked after too many failed attempts', 'pentad'),
  sign_out: __('Logged out', 'pentad'),
  sessions_ended: __('Sessions ended', 'pentad'),
  password_confirmation_failed: __('Password confirmation failed', 'pentad'),
  password_changed: __('Password changed', 'pentad'),
  password_link_requested: __('Password reset link requested', 'pentad'),
  password_link_sent: __('Password setup link sent', 'pentad'),
  password_reset: __('Password reset', 'pentad'),
  two_factor_enabled: __('Two-factor authentication turned on', 'pentad'),
  two_factor_disabled: __('Two-factor authentication turned off', 'pentad'),
  two_factor_failed: __('Wrong two-factor code', 'pentad'),
  passkey_added: __('Passkey added', 'pentad'),
  passkey_removed: __('Passkey removed', 'pentad'),
  passkey_failed: __('Passkey rejected', 'pentad'),
  recovery_codes_created: __('Recovery codes created', 'pentad'),
  recovery_code_used: __('Recovery code used', 'pentad'),
  email_changed: __('Email address changed', 'pentad'),
  roles_changed: __('Role changed', 'pentad'),
  user_created: __('User created', 'pentad'),
  user_deleted: __('User deleted', 'pentad'),
  application_password_created: __('Application password created', 'pentad'),
  application_password_revoked: __('Application password revoked', 'pentad'),
  application_password_failed: __('Application password rejected', 'pentad'),
  oauth_client_authorized: __('Application connected', 'pentad'),
  oauth_client_revoked: __('Application access revoked', 'pentad'),
  oauth_token_reused: __('Application disconnected: token reused', 'pentad'),
  extension_activated: __('Extension activated', 'pentad'),
  extension_deactivated: __('Extension deactivated', 'pentad'),
  extension_reloaded: __('Extension reloaded', 'pentad'),
  extension_installed: __('Extension installed', 'pentad'),
  extension_updated: __('Extension updated', 'pentad'),
  extension_removed: __('Extension removed', 'pentad'),
  theme_switched: __('Theme switched', 'pentad'),
  theme_installed: __('Theme installed', 'pentad'),
  theme_removed: __('Theme removed', 'pentad'),
  site_email_changed: __('Administration email address changed', 'pentad'),
  license_changed: __('License changed', 'pentad'),
  restore_started: __('Restore started', 'pentad'),
  restore_completed: __('Restore completed', 'pentad'),
  restore_failed: __('Restore failed', 'pentad'),
} satisfies Record<SecurityEvent | `restore_${string}`, string>

/** The label of an event; events of extensions keep their names. */
export function eventName(event: string): string {
  return NAMES[event] ?? event
}

/** Groups of events in the filter. */
export const KINDS: readonly { readonly value: string; readonly label: string; readonly events: readonly string[] }[] =
  [
    { value: 'logins', label: __('Logins', 'pentad'), events: ['sign_in', 'sign_out', 'sessions_ended'] },
    {
      value: 'failures',
      label: __('Failed logins', 'pentad'),
      events: [
        'sign_in_failed',
        'sign_in_blocked',
        'password_confirmation_failed',
        'application_password_failed',
        'two_factor_failed',
      ],
    },
    {
      value: 'accounts',
      label: __('Account changes', 'pentad'),
      events: [
        ...['user_created', 'user_deleted', 'roles_changed', 'email_changed', 'password_changed'],
        ...['password_link_requested', 'password_link_sent', 'password_reset'],
        ...['two_factor_enabled', 'two_factor_disabled', 'recovery_codes_created', 'recovery_code_used'],
        ...['passkey_added', 'passkey_removed'],
      ],
    },
    {
      value: 'application-passwords',
      label: __('Applications', 'pentad'),
      events: [
        ...['application_password_created', 'application_password_revoked'],
        ...['oauth_client_authorized', 'oauth_client_revoked', 'oauth_token_reused'],
      ],
    },
    {
      value: 'site',
      label: __('Extensions, themes, restores, and settings', 'pentad'),
      events: [
        ...['extension_activated', 'extension_deactivated', 'extension_reloaded', 'theme_switched'],
        ...['extension_installed', 'extension_updated', 'extension_removed', 'theme_installed', 'theme_removed'],
        ...['license_changed', 'site_email_changed'],
        ...['restore_started', 'restore_completed', 'restore_failed'],
      ],
    },
  ]

/** The details of an entry on one line. */
export function summaryOf({ detail }: Pick<SecurityLogEntry, 'detail'>): string {
  const { from, to, ...others } = detail
  const listed = (value: string | number | readonly string[]) =>
    Array.isArray(value) ? value.join(', ') : String(value)
  const rest = Object.values(others).map(listed)
  const change = from !== undefined && to !== undefined ? [`${listed(from)} → ${listed(to)}`] : []
  return [...change, ...rest].filter((text) => text !== '').join(' · ')
}
