import { escapeHtml } from '../../core/http/escape-html.ts'
import type { FixedAddresses } from '../../core/http/router.ts'
import type { EmailChanges } from '../accounts/email-change.ts'
import { registerEmailLink } from './email-link.ts'
import type { ReadLook } from './pages.ts'

interface Parts {
  readonly emailChanges: EmailChanges
  readonly config: { readonly url: string }
  readonly look: ReadLook
}

/** The page behind the link that confirms a new email address. */
export function registerEmailConfirmation(addresses: FixedAddresses, { emailChanges, ...site }: Parts): void {
  registerEmailLink(addresses, site, {
    action: 'confirmemail',
    title: ({ esc_html__ }) => esc_html__('Confirm your email address'),
    afterError: ({ esc_html__ }) => `<p><a href="/wp-admin/profile">${esc_html__('Go to your profile')}</a></p>`,
    readerOf: (key) =>
      emailChanges.check(key).then(
        ({ user }) => user,
        () => undefined,
      ),
    async ask(key, { esc_html__ }) {
      const { user, email } = await emailChanges.check(key)
      const values = [escapeHtml(user.login), `<strong>${escapeHtml(email)}</strong>`]
      return {
        text: `<p>${esc_html__('Change the email address of %1$s to %2$s?', ...values)}</p>`,
        buttons: `<p><button type="submit">${esc_html__('Confirm')}</button></p>`,
      }
    },
    async act(key, { esc_html__ }) {
      const { email } = await emailChanges.confirm(key)
      return `<p>${esc_html__('Your email address is now %s.', `<strong>${escapeHtml(email)}</strong>`)}</p>
<p><a class="button" href="/wp-admin/">${esc_html__('Go to the dashboard')}</a></p>`
    },
  })
}
