import type { User, Users } from '../../core/auth/types.ts'
import { checkPassword } from '../../core/auth/user-fields.ts'
import { RestError } from '../../core/errors.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import type { Mail, MailMessage, SentMail } from '../mail/types.ts'
import type { PageTexts, TextsFor } from '../text/translations.ts'
import type { AccountLink, AccountLinks } from './account-links.ts'
import type { CheckNewPassword } from './password-rules.ts'
import type { SecurityLog } from './types.ts'

const DAY_SECONDS = 24 * 60 * 60
/** Invitations are valid longer, because the recipient does not expect them. In seconds. */
const INVITATION_LIFETIME = 7 * DAY_SECONDS

/** Why a link is sent: the password was forgotten, or the account is new. */
export type LinkOccasion = 'reset' | 'invitation'

/** Links with which users set a password without knowing the current one. */
export interface PasswordLinks {
  /**
   * Creates a link without sending it.
   * @throws RestError 403 `no_password_reset` if the `allow_password_reset` filter forbids it
   */
  createUrl(user: User, occasion?: LinkOccasion): Promise<string>
  /**
   * Sends a link to the user's email address.
   * @param address network address of the visitor who requested it
   * @throws RestError 400 `no_user_email`, 403 `no_password_reset`, 502 `mail_failed`
   */
  send(user: User, occasion: LinkOccasion, address?: string): Promise<SentMail>
  /** Time at which the user's current link was created, in milliseconds since the epoch. */
  lastSent(user: User): Promise<number | undefined>
  /** @throws RestError 400 `invalid_key`, 400 `expired_key` */
  check(key: string, login: string): Promise<User>
  /**
   * Sets the password. The link is used up, and all sessions and application passwords of the user end.
   * @throws RestError as `check`, and 400 `rest_user_invalid_password`; the link then remains valid
   */
  reset(key: string, login: string, password: string): Promise<void>
}

interface Parts {
  readonly links: AccountLinks
  readonly users: Users
  readonly hooks: Hooks
  readonly mail: Pick<Mail, 'send'>
  readonly checkNewPassword: CheckNewPassword
  readonly securityLog: Pick<SecurityLog, 'record'>
  readonly textsFor: TextsFor
  readonly siteUrl: string
  readonly siteTitle: () => string
}

/** WordPress's `get_password_reset_key`, `check_password_reset_key`, `reset_password` and `wp_new_user_notification`. */
export function createPasswordLinks(parts: Parts): PasswordLinks {
  const { links, users, hooks, mail, checkNewPassword, securityLog, textsFor, siteUrl, siteTitle } = parts

  async function createKey(user: User, occasion: LinkOccasion): Promise<string> {
    await hooks.doActionAsync('retrieve_password', user.login)
    if (!hooks.applyFilters('allow_password_reset', true, user.id)) {
      throw new RestError('no_password_reset', 'Password reset is not allowed for this user.', { status: 403 })
    }
    const seconds =
      occasion === 'invitation' ? INVITATION_LIFETIME : hooks.applyFilters('password_reset_expiration', DAY_SECONDS)
    const key = await links.create(user, 'password', { email: user.email, lifetime: seconds * 1000 })
    await hooks.doActionAsync('retrieve_password_key', user.login, key)
    return key
  }

  const urlOf = (key: string, user: User) =>
    `${siteUrl}/wp-login.php?${new URLSearchParams({ action: 'rp', key, login: user.login })}`

  function resetMessage({ __ }: PageTexts, user: User, key: string, address: string | undefined): MailMessage {
    const text = [
      __('Someone has requested a password reset for the following account:'),
      '',
      __('Site: %s', `${siteTitle()} (${siteUrl})`),
      __('Username: %s', user.login),
      '',
      __('If this was a mistake, ignore this email and nothing will happen.'),
      '',
      __('To reset your password, visit the following address:'),
      '',
      urlOf(key, user),
      ...(address ? ['', __('This password reset request originated from the IP address %s.', address)] : []),
    ].join('\n')
    const title = `[${siteTitle()}] ${__('Reset your password')}`
    const subject = hooks.applyFilters('retrieve_password_title', title, user.login, user)
    return {
      to: user.email,
      subject,
      text: hooks.applyFilters('retrieve_password_message', text, key, user.login, user),
    }
  }

  function invitation({ __ }: PageTexts, user: User, key: string): MailMessage {
    const text = [
      __('An account was created for you on %s.', `${siteTitle()} (${siteUrl})`),
      '',
      __('Username: %s', user.login),
      '',
      __('To set your password, visit the following address within a week:'),
      '',
      urlOf(key, user),
      '',
      __('Then you can log in at %s.', `${siteUrl}/wp-login.php`),
    ].join('\n')
    const message = { to: user.email, subject: `[${siteTitle()}] ${__('Your new account')}`, text }
    return hooks.applyFilters('wp_new_user_notification_email', message, user, siteTitle())
  }

  async function belongsTo(link: AccountLink | undefined, login: string): Promise<User> {
    const user = link && (await users.get(link.userId))
    // A link in a former mailbox must not give access to the account.
    if (!user || link.email !== user.email || user.login.toLowerCase() !== login.toLowerCase()) {
      throw new RestError('invalid_key', 'This link is not valid. It may have been used or replaced by a newer one.', {
        status: 400,
      })
    }
    return user
  }

  async function check(key: string, login: string): Promise<User> {
    const link = await links.find(key, 'password')
    const user = await belongsTo(link, login)
    if (link?.isExpired) throw new RestError('expired_key', 'This link has expired.', { status: 400 })
    return user
  }

  return {
    async createUrl(user, occasion = 'reset') {
      return urlOf(await createKey(user, occasion), user)
    },
    async send(user, occasion, address) {
      if (user.email === '') {
        throw new RestError('no_user_email', 'The user has no email address.', { status: 400 })
      }
      const key = await createKey(user, occasion)
      try {
        const texts = await textsFor(user)
        const message =
          occasion === 'invitation' ? invitation(texts, user, key) : resetMessage(texts, user, key, address)
        return await mail.send(message, { isSecret: true, language: texts.language })
      } catch (error) {
        // The email was not sent: the user can request another one immediately.
        await links.revoke(user.id, 'password')
        throw error
      }
    },
    async lastSent({ id }) {
      return (await links.current(id, 'password'))?.created
    },
    check,
    async reset(key, login, password) {
      const user = await check(key, login)
      checkPassword(password)
      await checkNewPassword(password, user)
      await hooks.doActionAsync('password_reset', user, password)
      // Of two requests with the same link, one continues.
      await belongsTo(await links.take(key, 'password'), login)
      const changed = await users.update(user.id, { password })
      await securityLog.record('password_reset', { user: changed })
      await hooks.doActionAsync('after_password_reset', changed, password)
    },
  }
}
