import { escapeHtml } from '../../core/http/escape-html.ts'
import { messages, page, type SiteBrand } from './pages.ts'

const BACK_TO_LOGIN = '<p class="quiet"><a href="/wp-login.php">Back to the login form</a></p>'

interface LostPasswordForm {
  readonly site: SiteBrand
  /** The username or email address as entered. */
  readonly login: string
  readonly error?: string | undefined
}

/** Asks for the account whose password was forgotten, with WordPress's field names and ids. */
export function lostPasswordPage({ site, login, error }: LostPasswordForm): string {
  return page(
    'Lost password',
    site,
    `<h1>Lost your password?</h1>
${messages(error)}
<p>Enter your username or email address. You will receive an email with a link to set a new password.</p>
<form method="post" action="/wp-login.php?action=lostpassword" id="lostpasswordform">
<label for="user_login">Username or email address</label>
<input type="text" name="user_login" id="user_login" value="${escapeHtml(login)}" autocomplete="username" autocapitalize="off" spellcheck="false" required autofocus${error === undefined ? '' : ' aria-describedby="login_error"'}>
<p><button type="submit" name="wp-submit" id="wp-submit">Get new password</button></p>
</form>
${BACK_TO_LOGIN}`,
  )
}

/** The same for all accounts, so that it reveals nothing about them. */
export function linkSentPage({ site }: { site: SiteBrand }): string {
  return page(
    'Check your email',
    site,
    `<h1>Check your email</h1>
<p>If there is an account with this username or email address, we sent a link to its email address. The link can be used once and expires after 24 hours.</p>
<p class="quiet">If you receive no email within a few minutes, check your spam folder. You can request another link after ten minutes.</p>
${BACK_TO_LOGIN}`,
  )
}

interface NewPasswordForm {
  readonly site: SiteBrand
  readonly login: string
  readonly key: string
  /** Whether the user is logged in somewhere; an invited user is not. */
  readonly hasSessions: boolean
  readonly error?: string | undefined
}

/** Asks for the new password, with WordPress's field names and ids. */
export function newPasswordPage({ site, login, key, hasSessions, error }: NewPasswordForm): string {
  const field = (name: string, id: string, label: string) =>
    `<label for="${id}">${label}</label>
<input type="password" name="${name}" id="${id}" autocomplete="new-password" spellcheck="false" minlength="8" required${error === undefined ? '' : ' aria-describedby="login_error"'}${name === 'pass1' ? ' autofocus' : ''}>`
  return page(
    'Set password',
    site,
    `<h1>Set your password</h1>
${messages(error)}
<p>Choose a new password for ${escapeHtml(login)}: at least 8 characters, and not a commonly used password.</p>
<form method="post" action="/wp-login.php?action=resetpass" id="resetpassform">
<input type="hidden" name="rp_login" value="${escapeHtml(login)}" autocomplete="username">
<input type="hidden" name="rp_key" value="${escapeHtml(key)}">
${field('pass1', 'pass1', 'New password')}
${field('pass2', 'pass2', 'Repeat the new password')}
<p><button type="submit" name="wp-submit" id="wp-submit">Save password</button></p>
</form>
${hasSessions ? '<p class="quiet">You will be logged out on all devices.</p>' : ''}`,
  )
}
