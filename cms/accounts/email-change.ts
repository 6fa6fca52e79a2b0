import type { User, Users } from '../../core/auth/types.ts'
import { checkEmail } from '../../core/auth/user-fields.ts'
import { RestError } from '../../core/errors.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import type { Mail } from '../mail/types.ts'
import type { PageTexts, TextsFor } from '../text/translations.ts'
import type { AccountLinks } from './account-links.ts'

/** Milliseconds for which the link is valid. */
const LIFETIME = 24 * 60 * 60 * 1000

/** Changes of a user's own email address, which the new address confirms. */
export interface EmailChanges {
  /**
   * Sends a link to the new address. The current address stays until the link is opened.
   * @throws RestError 400 `rest_user_invalid_email`, 400 `existing_user_email`, 502 `mail_failed`
   */
  request(user: User, email: string): Promise<void>
  /** The address that is not confirmed yet. */
  pending(user: User): Promise<string | undefined>
  cancel(user: User): Promise<void>
  /** The user and the new address of a link. @throws RestError 400 `invalid_key` */
  check(key: string): Promise<{ readonly user: User; readonly email: string }>
  /** Changes the address and notifies the former one. @throws RestError as `check`, and 400 `existing_user_email` */
  confirm(key: string): Promise<User>
}

interface Parts {
  readonly links: AccountLinks
  readonly users: Users
  readonly hooks: Hooks
  readonly mail: Pick<Mail, 'send'>
  readonly textsFor: TextsFor
  readonly siteUrl: string
  readonly siteTitle: () => string
}

/** WordPress's `send_confirmation_on_profile_email`. */
export function createEmailChanges(parts: Parts): EmailChanges {
  const { links, users, hooks, mail, textsFor, siteUrl, siteTitle } = parts
  const subject = (text: string) => `[${siteTitle()}] ${text}`

  async function check(key: string): Promise<{ user: User; email: string }> {
    const link = await links.find(key, 'email')
    const user = link && (await users.get(link.userId))
    if (!user || link.isExpired) {
      const message = 'This link is not valid. It may have expired, been used, or been replaced by a newer one.'
      throw new RestError('invalid_key', message, { status: 400 })
    }
    return { user, email: link.email }
  }

  function confirmation({ __ }: PageTexts, user: User, email: string, key: string): string {
    const values = [user.login, `${siteTitle()} (${siteUrl})`, email]
    const text = [
      __('Someone has requested to change the email address of your account %1$s on %2$s to %3$s.', ...values),
      '',
      __('To confirm the change, visit the following address within 24 hours:'),
      '',
      `${siteUrl}/wp-login.php?${new URLSearchParams({ action: 'confirmemail', key })}`,
      '',
      __('If you did not request this, ignore this email.'),
    ].join('\n')
    return hooks.applyFilters('new_user_email_content', text, { email, key, user })
  }

  return {
    async request(user, email) {
      checkEmail(email)
      const holder = await users.getByEmail(email)
      if (holder && holder.id !== user.id) {
        throw new RestError('existing_user_email', 'Sorry, that email address is already used!', { status: 400 })
      }
      const key = await links.create(user, 'email', { email, lifetime: LIFETIME })
      try {
        const texts = await textsFor(user)
        const { __, language } = texts
        const message = {
          to: email,
          subject: subject(__('Confirm your email address')),
          text: confirmation(texts, user, email, key),
        }
        await mail.send(message, { isSecret: true, language })
      } catch (error) {
        await links.revoke(user.id, 'email')
        throw error
      }
    },
    async pending({ id }) {
      const link = await links.current(id, 'email')
      return link && !link.isExpired ? link.email : undefined
    },
    cancel: ({ id }) => links.revoke(id, 'email'),
    check,
    async confirm(key) {
      const { user } = await check(key)
      // Of two requests with the same link, one continues.
      const link = await links.take(key, 'email')
      if (!link) return (await check(key)).user
      const changed = await users.update(user.id, { email: link.email })
      if (user.email !== '' && user.email !== changed.email) {
        const { __, language } = await textsFor(user)
        const values = [user.login, `${siteTitle()} (${siteUrl})`, changed.email]
        const text = [
          __('The email address of your account %1$s on %2$s was changed to %3$s.', ...values),
          '',
          __('If you did not change it, contact the administrator of the site.'),
        ].join('\n')
        const message = { to: user.email, subject: subject(__('Email address changed')), text }
        // The change has been made, whether or not the former address can be reached.
        await mail.send(message, { language }).catch(() => {})
      }
      return changed
    },
  }
}
