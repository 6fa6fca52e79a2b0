import { escapeHtml } from '../../core/http/escape-html.ts'
import { messages, page, passkeyUrl, type SiteBrand } from './pages.ts'

const BACK_TO_LOGIN = '<p class="quiet"><a href="/wp-login.php">Back to the login form</a></p>'

interface PendingForm {
  readonly site: SiteBrand
  /** Continues the login. */
  readonly token: string
  readonly redirectTo: string
  readonly error?: string | undefined
}

const hidden = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('\n')

const described = (error: string | undefined) => (error === undefined ? '' : ' aria-describedby="login_error"')

/** Asks for the second step of a login, with the names of WordPress's Two-Factor plugin. */
export function codePage(form: PendingForm & { hasApp: boolean; hasPasskeys: boolean }): string {
  const { site, token, redirectTo, error, hasApp, hasPasskeys } = form
  const passkey = `<p><a class="button" href="${escapeHtml(passkeyUrl(redirectTo))}">Use a passkey</a></p>`
  return page(
    'Two-factor authentication',
    site,
    `<h1>Two-factor authentication</h1>
${messages(error)}
${hasPasskeys ? passkey : ''}
<form method="post" action="/wp-login.php?action=validate_2fa" id="validate_2fa_form">
<label for="authcode">${hasApp ? 'Code from your authenticator app' : 'Recovery code'}</label>
<input type="text" name="authcode" id="authcode" autocomplete="one-time-code" autocapitalize="off" spellcheck="false" maxlength="30" required autofocus${described(error)}>
${hasApp ? '<p class="quiet">If you do not have your device, enter one of your recovery codes.</p>' : ''}
${hidden({ token, redirect_to: redirectTo })}
<button type="submit">Log in</button>
</form>
${BACK_TO_LOGIN}`,
  )
}

/** Sets up the authenticator app that the user's role requires, before the first session starts. */
export function setUpPage(form: PendingForm & { secret: string; code: readonly (readonly boolean[])[] }): string {
  const { site, token, redirectTo, error, secret, code } = form
  return page(
    'Set up two-factor authentication',
    site,
    `<h1>Set up two-factor authentication</h1>
${messages(error)}
<p>Your account requires two-factor authentication. Scan this QR code with an authenticator app, such as 2FAS, Aegis, Google Authenticator, or your password manager.</p>
${qrImage(code)}
<p class="quiet">Or enter this key: <code>${secret.replace(/.{4}(?=.)/g, '$& ')}</code></p>
<form method="post" action="/wp-login.php?action=setup_2fa">
<label for="authcode">Code that the app shows</label>
<input type="text" name="authcode" id="authcode" inputmode="numeric" autocomplete="one-time-code" maxlength="10" required autofocus${described(error)}>
${hidden({ secret, token, redirect_to: redirectTo })}
<p><button type="submit">Continue</button></p>
</form>
${BACK_TO_LOGIN}`,
  )
}

/** Shows the recovery codes once. */
export function recoveryCodesPage(shown: { site: SiteBrand; codes: readonly string[]; redirectTo: string }): string {
  const { site, codes, redirectTo } = shown
  return page(
    'Recovery codes',
    site,
    `<h1>Save your recovery codes</h1>
<p>If you lose your device, each of these codes lets you log in once. Save them in a safe place, such as a password manager. They will not be shown again.</p>
<ul class="codes">${codes.map((code) => `<li><code>${code}</code></li>`).join('')}</ul>
<p><a class="button" href="${escapeHtml(redirectTo)}">I have saved the codes</a></p>`,
  )
}

/** With the quiet zone that readers need (ISO/IEC 18004, 5.3.8), dark on light in both color schemes. */
function qrImage(code: readonly (readonly boolean[])[]): string {
  const size = code.length + 8
  const path = code.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x + 4} ${y + 4}h1v1h-1z` : []))).join('')
  return `<svg viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`
}
