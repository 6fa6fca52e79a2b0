import { escapeHtml } from '../../core/http/escape-html.ts'
import { messages, type PageLook, page, passkeyUrl } from './pages.ts'
import { backToLogin } from './password-pages.ts'

interface PendingForm {
  readonly site: PageLook
  /** Continues the login. */
  readonly token: string
  readonly redirectTo: string
  /** HTML. */
  readonly error?: string | undefined
}

const hidden = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('\n')

const described = (error: string | undefined) => (error === undefined ? '' : ' aria-describedby="login_error"')

/**
 * Asks for the second step of a login, with the names of WordPress's Two-Factor plugin. The admin reads from it which
 * methods the account has.
 */
export function codePage(form: PendingForm & { hasApp: boolean; hasPasskeys: boolean }): string {
  const { site, token, redirectTo, error, hasApp, hasPasskeys } = form
  const { esc_html__ } = site.texts
  const passkey = `<p><a class="button" id="validate_2fa_passkey" href="${escapeHtml(passkeyUrl(redirectTo))}">${esc_html__('Use a passkey')}</a></p>`
  return page(
    esc_html__('Two-factor authentication'),
    site,
    `<h1>${esc_html__('Two-factor authentication')}</h1>
${messages(error)}
${hasPasskeys ? passkey : ''}
<form method="post" action="/wp-login.php?action=validate_2fa" id="validate_2fa_form" data-app="${hasApp}">
<label for="authcode">${hasApp ? esc_html__('Code from your authenticator app') : esc_html__('Recovery code')}</label>
<input type="text" name="authcode" id="authcode" autocomplete="one-time-code" autocapitalize="off" spellcheck="false" maxlength="30" required autofocus${described(error)}>
${hasApp ? `<p class="quiet">${esc_html__('If you do not have your device, enter one of your recovery codes.')}</p>` : ''}
${hidden({ token, redirect_to: redirectTo })}
<p><button type="submit">${esc_html__('Log in')}</button></p>
</form>
${backToLogin(site.texts)}`,
  )
}

/** Sets up the authenticator app that the user's role requires, before the first session starts. */
export function setUpPage(form: PendingForm & { secret: string; code: readonly (readonly boolean[])[] }): string {
  const { site, token, redirectTo, error, secret, code } = form
  const { esc_html__ } = site.texts
  return page(
    esc_html__('Set up two-factor authentication'),
    site,
    `<h1>${esc_html__('Set up two-factor authentication')}</h1>
${messages(error)}
<p>${esc_html__('Your account requires two-factor authentication. Scan this QR code with an authenticator app, such as 2FAS, Aegis, Google Authenticator, or your password manager.')}</p>
${qrImage(code, esc_html__('QR code'))}
<p class="quiet">${esc_html__('Or enter this key: %s', `<code>${secret.replace(/.{4}(?=.)/g, '$& ')}</code>`)}</p>
<form method="post" action="/wp-login.php?action=setup_2fa">
<label for="authcode">${esc_html__('Code that the app shows')}</label>
<input type="text" name="authcode" id="authcode" inputmode="numeric" autocomplete="one-time-code" maxlength="10" required autofocus${described(error)}>
${hidden({ secret, token, redirect_to: redirectTo })}
<p><button type="submit">${esc_html__('Continue')}</button></p>
</form>
${backToLogin(site.texts)}`,
  )
}

/** Shows the recovery codes once. */
export function recoveryCodesPage(shown: { site: PageLook; codes: readonly string[]; redirectTo: string }): string {
  const { site, codes, redirectTo } = shown
  const { esc_html__ } = site.texts
  return page(
    esc_html__('Recovery codes'),
    site,
    `<h1>${esc_html__('Save your recovery codes')}</h1>
<p>${esc_html__('If you lose your device, each of these codes lets you log in once. Save them in a safe place, such as a password manager. They will not be shown again.')}</p>
<ul class="codes">${codes.map((code) => `<li><code>${code}</code></li>`).join('')}</ul>
<p><a class="button" href="${escapeHtml(redirectTo)}">${esc_html__('I have saved the codes')}</a></p>`,
  )
}

/** With the quiet zone that readers need (ISO/IEC 18004, 5.3.8), dark on light in both color schemes. */
function qrImage(code: readonly (readonly boolean[])[], label: string): string {
  const size = code.length + 8
  const path = code.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x + 4} ${y + 4}h1v1h-1z` : []))).join('')
  return `<svg viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`
}
