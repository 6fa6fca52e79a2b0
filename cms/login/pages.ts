import { hash } from 'node:crypto'
import { escapeHtml } from '../../core/http/escape-html.ts'
import type { PolicyLink } from '../privacy/policy.ts'

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2327; --quiet: #50575e; --paper: #f0f0f1; --card: #fff; --line: #8c8f94; --accent: #0a4b78; --on-accent: #fff; --warn: #b32d2e }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f0f0f1; --quiet: #c3c4c7; --paper: #101517; --card: #1d2327; --line: #787c82; --accent: #9ec2e6; --on-accent: #101517; --warn: #ff8085 }
}
* { box-sizing: border-box }
body { margin: 0; padding: 8vh 1rem 2rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 24rem; margin: 0 auto; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem }
h1 { margin: 0 0 1rem; font-size: 1.4rem }
label { display: block; margin: 1rem 0 .25rem }
input[type=text], input[type=password] { width: 100%; padding: .6rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .25rem }
.check { display: flex; gap: .5rem; align-items: center }
.check label { margin: 0 }
.check { margin: 1rem 0 }
button, .button { display: inline-block; padding: .6rem 1.2rem; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 0; border-radius: .25rem; text-decoration: none; cursor: pointer }
a { color: var(--accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.note { padding: .6rem .8rem; border-left: 4px solid var(--accent); background: var(--paper) }
.error { border-color: var(--warn) }
svg { display: block; width: 13rem; max-width: 100%; margin: 1rem auto; border-radius: .25rem }
code { font: 1rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
.codes { padding: 0; list-style: none; text-align: center }
.quiet { color: var(--quiet); font-size: .9rem }
`

/** Only the style above is allowed; no scripts, no frames, nothing from other origins. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A page in the style of the login form. @param body HTML */
export function page(title: string, siteTitle: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(siteTitle ? `${title} – ${siteTitle}` : title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
}

/** An error and a notice above a form; the error has WordPress's id, to which fields refer. */
export function messages(error: string | undefined, notice?: string): string {
  return [
    error === undefined ? '' : `<p class="note error" role="alert" id="login_error">${escapeHtml(error)}</p>`,
    notice === undefined ? '' : `<p class="note" role="status">${escapeHtml(notice)}</p>`,
  ].join('')
}

export interface LoginForm {
  readonly siteTitle: string
  /** The username as entered. */
  readonly login: string
  readonly remember: boolean
  readonly redirectTo: string
  readonly error?: string | undefined
  readonly notice?: string | undefined
  /** Whether users can log in with passkeys. */
  readonly hasPasskeys?: boolean
  readonly policy?: PolicyLink | undefined
}

/** The page for passkeys, which leads to the same target afterward. */
export const passkeyUrl = (redirectTo: string): string =>
  `/wp-login.php?${new URLSearchParams({ action: 'passkey', redirect_to: redirectTo })}`

/** The login form, with WordPress's field names and ids. */
export function loginPage(form: LoginForm): string {
  const { siteTitle, login, remember, redirectTo, error, notice, hasPasskeys, policy } = form
  const described = error === undefined ? '' : ' aria-describedby="login_error"'
  return page(
    'Log in',
    siteTitle,
    `<h1>Log in${siteTitle ? ` to ${escapeHtml(siteTitle)}` : ''}</h1>
${messages(error, notice)}
<form method="post" action="/wp-login.php" id="loginform">
<label for="user_login">Username or email address</label>
<input type="text" name="log" id="user_login" value="${escapeHtml(login)}" autocomplete="username" autocapitalize="off" spellcheck="false" required${described}${login === '' ? ' autofocus' : ''}>
<label for="user_pass">Password</label>
<input type="password" name="pwd" id="user_pass" autocomplete="current-password" spellcheck="false" required${described}${login === '' ? '' : ' autofocus'}>
<div class="check"><input type="checkbox" name="rememberme" id="rememberme" value="forever"${remember ? ' checked' : ''}><label for="rememberme">Remember me for two weeks</label></div>
<input type="hidden" name="redirect_to" value="${escapeHtml(redirectTo)}">
<button type="submit" name="wp-submit" id="wp-submit" value="Log In">Log in</button>
</form>
${hasPasskeys ? `<p><a href="${escapeHtml(passkeyUrl(redirectTo))}">Log in with a passkey</a></p>\n` : ''}<p class="quiet"><a href="/wp-login.php?action=lostpassword">Lost your password?</a></p>
<p class="quiet"><a href="/">Go to the site</a></p>${policy ? `\n<p class="quiet"><a href="${escapeHtml(policy.url)}">${escapeHtml(policy.title)}</a></p>` : ''}`,
  )
}

/** Asks for confirmation before logging out, if the link was not created by this site. */
export function confirmLogoutPage({ siteTitle, logoutUrl }: { siteTitle: string; logoutUrl: string }): string {
  return page(
    'Log out',
    siteTitle,
    `<h1>Log out?</h1>
<p>Do you want to log out${siteTitle ? ` of ${escapeHtml(siteTitle)}` : ''}?</p>
<p><a class="button" href="${escapeHtml(logoutUrl)}">Log out</a></p>
<p class="quiet"><a href="/wp-admin/">Cancel and go to the dashboard</a></p>`,
  )
}
