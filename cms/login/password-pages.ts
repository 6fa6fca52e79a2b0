import { escapeHtml } from '../../core/http/escape-html.ts'
import type { PageTexts } from '../text/translations.ts'
import { messages, type PageLook, page } from './pages.ts'

/** A link to the login form. */
export const backToLogin = ({ esc_html__ }: PageTexts): string =>
  `<p class="quiet"><a href="/wp-login.php">${esc_html__('Back to the login form')}</a></p>`

interface LostPasswordForm {
  readonly site: PageLook
  /** The username or email address as entered. */
  readonly login: string
  /** HTML. */
  readonly error?: string | undefined
}

/** Asks for the account whose password was forgotten, with WordPress's field names and ids. */
export function lostPasswordPage({ site, login, error }: LostPasswordForm): string {
  const { esc_html__ } = site.texts
  return page(
    esc_html__('Lost password'),
    site,
    `<h1>${esc_html__('Lost your password?')}</h1>
${messages(error)}
<p>${esc_html__('Enter your username or email address. You will receive an email with a link to set a new password.')}</p>
<form method="post" action="/wp-login.php?action=lostpassword" id="lostpasswordform">
<label for="user_login">${esc_html__('Username or email address')}</label>
<input type="text" name="user_login" id="user_login" value="${escapeHtml(login)}" autocomplete="username" autocapitalize="off" spellcheck="false" required autofocus${error === undefined ? '' : ' aria-describedby="login_error"'}>
<p><button type="submit" name="wp-submit" id="wp-submit">${esc_html__('Get new password')}</button></p>
</form>
${backToLogin(site.texts)}`,
  )
}

/** The same for all accounts, so that it reveals nothing about them. */
export function linkSentPage({ site }: { site: PageLook }): string {
  const { esc_html__ } = site.texts
  return page(
    esc_html__('Check your email'),
    site,
    `<h1>${esc_html__('Check your email')}</h1>
<p>${esc_html__('If there is an account with this username or email address, we sent a link to its email address. The link can be used once and expires after 24 hours.')}</p>
<p class="quiet">${esc_html__('If you receive no email within a few minutes, check your spam folder. You can request another link after ten minutes.')}</p>
${backToLogin(site.texts)}`,
  )
}

interface NewPasswordForm {
  readonly site: PageLook
  readonly login: string
  readonly key: string
  /** Whether the user is logged in somewhere; an invited user is not. */
  readonly hasSessions: boolean
  /** HTML. */
  readonly error?: string | undefined
}

/** Asks for the new password, with WordPress's field names and ids. */
export function newPasswordPage({ site, login, key, hasSessions, error }: NewPasswordForm): string {
  const { esc_html__ } = site.texts
  const field = (name: string, id: string, label: string) =>
    `<label for="${id}">${label}</label>
<input type="password" name="${name}" id="${id}" autocomplete="new-password" spellcheck="false" minlength="8" required${error === undefined ? '' : ' aria-describedby="login_error"'}${name === 'pass1' ? ' autofocus' : ''}>`
  return page(
    esc_html__('Set password'),
    site,
    `<h1>${esc_html__('Set your password')}</h1>
${messages(error)}
<p>${esc_html__('Choose a new password for %s: at least 8 characters, and not a commonly used password.', escapeHtml(login))}</p>
<form method="post" action="/wp-login.php?action=resetpass" id="resetpassform">
<input type="hidden" name="rp_login" value="${escapeHtml(login)}" autocomplete="username">
<input type="hidden" name="rp_key" value="${escapeHtml(key)}">
${field('pass1', 'pass1', esc_html__('New password'))}
${field('pass2', 'pass2', esc_html__('Repeat the new password'))}
<p><button type="submit" name="wp-submit" id="wp-submit">${esc_html__('Save password')}</button></p>
</form>
${hasSessions ? `<p class="quiet">${esc_html__('You will be logged out on all devices.')}</p>` : ''}`,
  )
}
