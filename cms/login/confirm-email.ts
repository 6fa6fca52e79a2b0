import { escapeHtml } from '../../core/http/escape-html.ts'
import type { FixedAddresses } from '../../core/http/router.ts'
import type { EmailChanges } from '../accounts/email-change.ts'
import { registerEmailLink } from './email-link.ts'
import type { SiteBrand } from './pages.ts'

interface Parts {
  readonly emailChanges: EmailChanges
  readonly config: { readonly url: string }
  readonly brand: () => Promise<SiteBrand>
}

/** The page behind the link that confirms a new email address. */
export function registerEmailConfirmation(addresses: FixedAddresses, { emailChanges, ...site }: Parts): void {
  registerEmailLink(addresses, site, {
    action: 'confirmemail',
    title: 'Confirm your email address',
    afterError: '<p><a href="/wp-admin/profile">Go to your profile</a></p>',
    async ask(key) {
      const { user, email } = await emailChanges.check(key)
      return {
        text: `<p>Change the email address of ${escapeHtml(user.login)} to <strong>${escapeHtml(email)}</strong>?</p>`,
        buttons: '<p><button type="submit">Confirm</button></p>',
      }
    },
    async act(key) {
      const { email } = await emailChanges.confirm(key)
      return `<p>Your email address is now <strong>${escapeHtml(email)}</strong>.</p>
<p><a class="button" href="/wp-admin/">Go to the dashboard</a></p>`
    },
  })
}
