import { hash, randomUUID } from 'node:crypto'
import type { Hooks } from '../../core/hooks/types.ts'
import type { PageContext } from './types.ts'

/** Sources by directive, as in `{ 'script-src': ["'self'", 'https://plausible.io'] }`. */
export type ContentSecurityPolicy = Readonly<Record<string, readonly string[]>>

/** Whether browsers enforce the policy, report violations in the console, or get no policy. */
export const POLICY_MODES = ['report-only', 'enforce', 'off'] as const
export type PolicyMode = (typeof POLICY_MODES)[number]

const HEADERS = {
  'report-only': 'Content-Security-Policy-Report-Only',
  enforce: 'Content-Security-Policy',
} as const

/** Directive names and source values: CSP 3, 2.2.1. Spaces, `;` and `,` would start another one. */
const DIRECTIVE = /^[a-z][a-z-]*$/
const SOURCE = /^[\x21-\x2b\x2d-\x3a\x3c-\x7e]+$/

const SCRIPT_START = /<script(?=[\s/>])/gi
const ATTRIBUTE = /[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?|["'<=]/y
/** Data blocks, which browsers do not execute. */
const DATA_TYPE = /^application\/(?:[\w.+-]*\+)?json$/i

/**
 * Marks `<script>` elements in HTML printed by code, so that `readTrustedScripts` finds them in the finished page.
 * Content is never marked: scripts in posts or comments stay unknown to the policy.
 * @param nonce `page.scriptNonce`
 */
export function markScripts(html: string, nonce: string): string {
  return html.replace(SCRIPT_START, `$& nonce="${nonce}"`)
}

/** A random value for all pages of a site in this process: with it, the same page is the same text each time. */
export function createScriptNonce(): string {
  return randomUUID().replaceAll('-', '')
}

/**
 * Finds the marked scripts of a finished page and removes the marks. A nonce in a cached page would be known to every
 * visitor, so inline scripts are allowed by hash (CSP 3, 8.3) and external ones by origin. Reads each character at most
 * twice.
 * @returns the page without marks, and sources for `script-src`
 */
export function readTrustedScripts(html: string, nonce: string): { html: string; sources: string[] } {
  const sources = new Set<string>()
  const unmarked = withoutMarks(html, nonce, (start) => {
    const source = readScript(html, html.lastIndexOf('<', start), nonce)
    if (source !== undefined) sources.add(source)
  })
  return { html: unmarked, sources: [...sources] }
}

/**
 * Removes the marks, with or without quotes, as a minifier leaves them, and the nonce from all other places, because no visitor may know it.
 * Not a pattern: it would be compiled for each page.
 */
export function withoutMarks(html: string, nonce: string, onMark?: (start: number) => void): string {
  let unmarked = ''
  let copied = 0
  for (let at = html.indexOf(nonce); at >= 0; at = html.indexOf(nonce, at + nonce.length)) {
    const quote = html[at - 1] === '"' ? '"' : ''
    const mark = ` nonce=${quote}${nonce}${quote}`
    const start = at - mark.indexOf(nonce)
    const isMark = html.startsWith(mark, start)
    if (isMark) onMark?.(start)
    unmarked += html.slice(copied, isMark ? start : at)
    copied = isMark ? start + mark.length : at + nonce.length
  }
  return unmarked + html.slice(copied)
}

/** Removes the nonce from the values of headers. */
export function headersWithoutNonce(headers: Readonly<Record<string, string>>, nonce: string) {
  // Extensions in JavaScript may give numbers and arrays.
  const isUnsafe = (value: unknown) => String(value).includes(nonce)
  if (!Object.values(headers).some(isUnsafe)) return headers
  const safe = (value: string) => (isUnsafe(value) ? String(value).replaceAll(nonce, '') : value)
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, safe(value)]))
}

/** Removes the marks and the nonce from bytes. */
export function bytesWithoutMarks(bytes: Buffer, nonce: string): Buffer {
  return bytes.includes(nonce) ? Buffer.from(withoutMarks(bytes.toString('latin1'), nonce), 'latin1') : bytes
}

/** The source for the marked script whose tag starts there; `undefined` if it needs none. */
function readScript(html: string, start: number, nonce: string): string | undefined {
  if (!/^<script[\s/]/i.test(html.slice(start, start + 8))) return undefined
  const { attributes, end } = readTag(html, start + '<script'.length)
  if (DATA_TYPE.test(attributes.get('type') ?? '')) return undefined
  const src = attributes.get('src')
  // A `<script>` inside the text of a script was marked too.
  if (src === undefined) return hashOf(withoutMarks(html.slice(end, endOfScript(html, end)), nonce))
  return /^(?:https?:)?\/\//i.test(src) ? URL.parse(src, 'https://site.invalid')?.origin : undefined
}

/** The attributes of a tag, and where its content starts. */
function readTag(html: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>()
  let at = from
  for (;;) {
    while (/[\s/]/.test(html[at] ?? '')) at++
    if (at >= html.length || html[at] === '>') return { attributes, end: at + 1 }
    ATTRIBUTE.lastIndex = at
    const [text = html[at] ?? ''] = ATTRIBUTE.exec(html) ?? []
    const equals = text.indexOf('=')
    const name = (equals === -1 ? text : text.slice(0, equals)).trim().toLowerCase()
    const value = equals === -1 ? '' : text.slice(equals + 1).trim()
    if (!attributes.has(name)) attributes.set(name, value.replace(/^(["'])(.*)\1$/s, '$2'))
    at = Math.max(ATTRIBUTE.lastIndex, at + 1)
  }
}

function endOfScript(html: string, from: number): number {
  const end = /<\/script[\s/>]/gi
  end.lastIndex = from
  return end.exec(html)?.index ?? html.length
}

/** Hash as in CSP 3: of the text between the tags, with normalized line breaks. */
function hashOf(script: string): string {
  return `'sha256-${hash('sha256', script.replaceAll(/\r\n?/g, '\n'), 'base64')}'`
}

/**
 * The policy header of a public page: allows scripts of the site's origin, those printed by the theme and extensions,
 * and sources from the `content_security_policy` filter, except for the nonce.
 * @param scripts sources found by `readTrustedScripts`
 */
export function policyHeaders(
  mode: PolicyMode,
  { hooks, page, scripts }: { hooks: Pick<Hooks, 'applyFilters'>; page: PageContext; scripts: readonly string[] },
): Readonly<Record<string, string>> {
  if (mode === 'off') return {}
  const own: ContentSecurityPolicy = {
    'script-src': ["'self'", "'inline-speculation-rules'", ...scripts],
    'object-src': ["'none'"],
    'base-uri': ["'self'"],
  }
  const isSource = (source: unknown) =>
    typeof source === 'string' && SOURCE.test(source) && !source.includes(page.scriptNonce)
  const directives = Object.entries(hooks.applyFilters('content_security_policy', own, page))
    .filter(([name, sources]) => DIRECTIVE.test(name) && Array.isArray(sources))
    .map(([name, sources]) => [name, ...new Set(sources.filter(isSource))].join(' '))
  return { [HEADERS[mode]]: directives.join('; ') }
}
