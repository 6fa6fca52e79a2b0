import type { User, Users } from '../../core/auth/types.ts'
import { checkEmail } from '../../core/auth/user-fields.ts'
import { RestError } from '../../core/errors.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import type { Mail } from '../mail/types.ts'
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
  readonly siteUrl: string
  readonly siteTitle: () => string
}

/** WordPress's `send_confirmation_on_profile_email`. */
export function createEmailChanges(parts: Parts): EmailChanges {
  const { links, users, hooks, mail, siteUrl, siteTitle } = parts

  async function check(key: string): Promise<{ user: User; email: string }> {
    const link = await links.find(key, 'email')
    const user = link && (await users.get(link.userId))
    if (!user || link.isExpired) {
      const message = 'This link is not valid. It may have expired, been used, or been replaced by a newer one.'
      throw new RestError('invalid_key', message, { status: 400 })
    }
    return { user, email: link.email }
  }

  function confirmation(user: User, email: string, key: string): string {
    const text = [
      `Someone has requested to change the email address of your account ${user.login} on ${siteTitle()} (${siteUrl}) to ${email}.`,
      '',
      'To confirm the change, visit the following address within 24 hours:',
      '',
      `${siteUrl}/wp-login.php?${new URLSearchParams({ action: 'confirmemail', key })}`,
      '',
      'If you did not request this, ignore this email.',
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
        const subject = `[${siteTitle()}] Confirm your email address`
        await mail.send({ to: email, subject, text: confirmation(user, email, key) }, { isSecret: true })
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
        const text = [
          `The email address of your account ${user.login} on ${siteTitle()} (${siteUrl}) was changed to ${changed.email}.`,
          '',
          'If you did not change it, contact the administrator of the site.',
        ].join('\n')
        // The change has been made, whether or not the former address can be reached.
        await mail.send({ to: user.email, subject: `[${siteTitle()}] Email address changed`, text }).catch(() => {})
      }
      return changed
    },
  }
}
