import { hash } from 'node:crypto'
import { escapeHtml } from '../../core/http/escape-html.ts'
import type { PolicyLink } from '../privacy/policy.ts'
import type { PageTexts } from '../text/translations.ts'

// The colors of the admin.
const STYLE = `
:root { --ink: #212529; --quiet: #495057; --paper: #f8f9fa; --card: #fff; --line: #868e96; --edge: #dee2e6; --accent: #2f56c4; --button: #2f56c4; --warn: #c92a2a }
* { box-sizing: border-box }
body { margin: 0; padding: clamp(1.5rem, 9vh, 6rem) 1rem 2rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 25rem; margin: 0 auto; padding: clamp(1.25rem, 6vw, 2rem); background: var(--card); border: 1px solid var(--edge); border-radius: .75rem; box-shadow: 0 1px 3px #0000000f; overflow-wrap: break-word }
main > :last-child { margin-bottom: 0 }
.brand { max-width: 25rem; margin: 0 auto 1.5rem; font-size: 1.35rem; font-weight: 700; line-height: 1.25; text-align: center; overflow-wrap: break-word }
.brand a { display: inline-block; color: inherit; text-decoration: none }
.brand img { display: block; max-width: 100%; height: auto }
h1 { margin: 0 0 1.25rem; font-size: 1.4rem; line-height: 1.3 }
label { display: block; margin: 1rem 0 .3rem; font-weight: 600 }
input[type=text], input[type=password] { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .375rem }
input[aria-describedby=login_error] { border-color: var(--warn) }
.check { display: flex; gap: .6rem; align-items: center; margin: .75rem 0 }
.check label { flex: 1; margin: 0; padding: .625rem 0; font-weight: 400 }
.check input { width: 1.15rem; height: 1.15rem; margin: 0; accent-color: var(--accent) }
button, .button { display: block; width: 100%; min-height: 2.75rem; padding: .6rem 1.2rem; font: inherit; font-weight: 600; text-align: center; color: #fff; background: var(--button); border: 0; border-radius: .375rem; text-decoration: none; cursor: pointer }
button:hover, .button:hover { background: color-mix(in srgb, var(--button) 85%, #000) }
a { color: var(--accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.note { padding: .7rem .9rem; border-inline-start: 4px solid var(--accent); border-radius: .25rem; background: var(--paper) }
.error { border-color: var(--warn) }
svg { display: block; width: 13rem; max-width: 100%; margin: 1rem auto; border-radius: .25rem }
code { font: 1rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
.codes { padding: 0; list-style: none; text-align: center }
.quiet { color: var(--quiet); font-size: .9rem }
`
const DARK_STYLE = `
:root { --ink: #e9e9e9; --quiet: #b8b8b8; --paper: #1f1f1f; --card: #242424; --line: #828282; --edge: #424242; --accent: #8ca8f2; --button: #3b64d8; --warn: #ff8787 }
`
const IS_DARK = '(prefers-color-scheme: dark)'
const sourceOf = (style: string) => `'sha256-${hash('sha256', style, 'base64')}'`

/** Only the styles above are allowed; no scripts, no frames, nothing from other origins. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${sourceOf(STYLE)} ${sourceOf(DARK_STYLE)}`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** In pixels. */
const HIGHEST_LOGO = 80

interface Logo {
  readonly src: string
  readonly width: number
  readonly height: number
}

/** The site whose name or logo is above the forms, which have its color scheme. */
export interface SiteBrand {
  readonly title: string
  readonly colorScheme: 'auto' | 'light' | 'dark'
  readonly logo: Logo | undefined
  readonly darkLogo: Logo | undefined
}

/** What all pages have in common. */
export interface PageLook extends SiteBrand {
  /** In the language of the reader. */
  readonly texts: PageTexts
}

/**
 * Read for each page: it may change.
 *
 * @param reader the user of the page, who may have a language; without one, the page is in the language of the site
 */
export type ReadLook = (reader?: { readonly locale: string } | null) => Promise<PageLook>

/** HTML; empty without logo and title. */
function brandOf({ title, colorScheme, logo, darkLogo, texts: { esc_html__ } }: PageLook): string {
  if (!logo) return escapeHtml(title)
  const isBoth = darkLogo && colorScheme === 'auto'
  const shown = darkLogo && colorScheme === 'dark' ? darkLogo : logo
  // Its size on the page, so that nothing moves when it has loaded.
  const source = ({ src, width, height }: Logo, name: string) => {
    const scale = Math.min(1, HIGHEST_LOGO / height)
    return `${name}="${escapeHtml(src)}" width="${Math.round(width * scale)}" height="${Math.round(height * scale)}"`
  }
  const dark = isBoth ? `<source media="${IS_DARK}" ${source(darkLogo, 'srcset')}>` : ''
  return `<picture>${dark}<img ${source(shown, 'src')} alt="${title ? escapeHtml(title) : esc_html__('Home')}"></picture>`
}

/** A page in the style of the login form. @param title HTML @param body HTML */
export function page(title: string, site: PageLook, body: string): string {
  const name = escapeHtml(site.title)
  const brand = brandOf(site)
  const { colorScheme, texts } = site
  const dark = {
    auto: `<style media="${IS_DARK}">${DARK_STYLE}</style>\n`,
    light: '',
    dark: `<style>${DARK_STYLE}</style>\n`,
  }
  return `<!doctype html>
<html lang="${texts.language}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${colorScheme === 'auto' ? 'light dark' : colorScheme}">
<meta name="robots" content="noindex">
<title>${title}${name && ` – ${name}`}</title>
<style>${STYLE}</style>
${dark[colorScheme]}</head>
<body>
${brand && `<header class="brand"><a href="/">${brand}</a></header>\n`}<main>
${body}
</main>
</body>
</html>
`
}

/** An error and a notice above a form, both HTML; the error has WordPress's id, to which fields refer. */
export function messages(error: string | undefined, notice?: string): string {
  return [
    error === undefined ? '' : `<p class="note error" role="alert" id="login_error">${error}</p>`,
    notice === undefined ? '' : `<p class="note" role="status">${notice}</p>`,
  ].join('')
}

export interface LoginForm {
  readonly site: PageLook
  /** The username as entered. */
  readonly login: string
  readonly remember: boolean
  readonly redirectTo: string
  /** HTML. */
  readonly error?: string | undefined
  /** HTML. */
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
  const { site, login, remember, redirectTo, error, notice, hasPasskeys, policy } = form
  const { esc_html__ } = site.texts
  const described = error === undefined ? '' : ' aria-describedby="login_error"'
  return page(
    esc_html__('Log in'),
    site,
    `<h1>${esc_html__('Log in')}</h1>
${messages(error, notice)}
<form method="post" action="/wp-login.php" id="loginform">
<label for="user_login">${esc_html__('Username or email address')}</label>
<input type="text" name="log" id="user_login" value="${escapeHtml(login)}" autocomplete="username" autocapitalize="off" spellcheck="false" required${described}${login === '' ? ' autofocus' : ''}>
<label for="user_pass">${esc_html__('Password')}</label>
<input type="password" name="pwd" id="user_pass" autocomplete="current-password" spellcheck="false" required${described}${login === '' ? '' : ' autofocus'}>
<div class="check"><input type="checkbox" name="rememberme" id="rememberme" value="forever"${remember ? ' checked' : ''}><label for="rememberme">${esc_html__('Remember me for two weeks')}</label></div>
<input type="hidden" name="redirect_to" value="${escapeHtml(redirectTo)}">
<button type="submit" name="wp-submit" id="wp-submit" value="Log In">${esc_html__('Log in')}</button>
</form>
${hasPasskeys ? `<p><a href="${escapeHtml(passkeyUrl(redirectTo))}">${esc_html__('Log in with a passkey')}</a></p>\n` : ''}<p class="quiet"><a href="/wp-login.php?action=lostpassword">${esc_html__('Lost your password?')}</a></p>
<p class="quiet"><a href="/">${esc_html__('Go to the site')}</a></p>${policy ? `\n<p class="quiet"><a href="${escapeHtml(policy.url)}">${escapeHtml(policy.title)}</a></p>` : ''}`,
  )
}

/** Asks for confirmation before logging out, if the link was not created by this site. */
export function confirmLogoutPage({ site, logoutUrl }: { site: PageLook; logoutUrl: string }): string {
  const { esc_html__ } = site.texts
  const question = site.title
    ? esc_html__('Do you want to log out of %s?', escapeHtml(site.title))
    : esc_html__('Do you want to log out?')
  return page(
    esc_html__('Log out'),
    site,
    `<h1>${esc_html__('Log out?')}</h1>
<p>${question}</p>
<p><a class="button" href="${escapeHtml(logoutUrl)}">${esc_html__('Log out')}</a></p>
<p class="quiet"><a href="/wp-admin/">${esc_html__('Cancel and go to the dashboard')}</a></p>`,
  )
}
