import { randomBytes } from 'node:crypto'
import { escapeHtml } from '../../core/http/escape-html.ts'
import type { BuiltClient } from './built.ts'
import type { AdminData } from './page-data.ts'

/** For `<style>` elements added by the page's scripts. */
export const createStyleNonce = () => randomBytes(16).toString('base64')

/**
 * Scripts and requests are limited to this site. Style elements need the nonce; style attributes are allowed because the
 * components set sizes and colors with them.
 */
export function contentSecurityPolicy(styleNonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${styleNonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'none'",
    "worker-src 'none'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The HTML of the admin; the client renders everything in it. */
export function adminPage(client: BuiltClient, data: AdminData): string {
  const address = (file: string) => escapeHtml(`/wp-admin/${file}`)
  return document(
    data,
    [
      ...client.styles.map((file) => `<link rel="stylesheet" href="${address(file)}">`),
      ...client.preloads.map((file) => `<link rel="modulepreload" href="${address(file)}">`),
      `<script type="application/json" id="pentad-data">${scriptJson(data)}</script>`,
      `<script type="module" src="${address(client.script)}"></script>`,
    ],
    `<div id="root"></div>
<noscript>
<h1>${escapeHtml(data.site.title)}</h1>
<p>The admin requires JavaScript. Enable JavaScript for this site, then reload the page.</p>
${waysOut(data)}
</noscript>`,
  )
}

/** Shown if the client has not been built. */
export function notBuiltPage(data: AdminData): string {
  return document(
    data,
    [],
    `<h1>The admin has not been built</h1>
<p>Run <code>npm run build</code> in the Pentad folder, then reload this page.</p>
${waysOut(data)}`,
  )
}

function document({ site, locale }: AdminData, head: readonly string[], body: string): string {
  return `<!doctype html>
<html lang="${escapeHtml(locale.language)}" dir="${locale.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(site.title)}</title>
<link rel="icon" href="data:,">
${head.join('\n')}
</head>
<body>
${body}
</body>
</html>
`
}

function waysOut({ logoutUrl, user }: AdminData): string {
  return `<p>You are logged in as ${escapeHtml(user.name)}. <a href="/">Visit site</a> or <a href="${escapeHtml(logoutUrl)}">log out</a>.</p>`
}

/** JSON for a `<script>` element, escaped so that it can't end the element or begin a comment. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}
