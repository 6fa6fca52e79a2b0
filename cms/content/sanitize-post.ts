import { randomUUID } from 'node:crypto'
import { Parser } from 'htmlparser2'
import type sanitizeHtml from 'sanitize-html'
import type { JsonValue } from '../../core/options/types.ts'
import { DEEPEST } from '../text/html-parser.ts'
import { countDepth, sanitized, tooDeep } from './sanitize.ts'

const words = (text: string) => text.trim().split(/\s+/)

/** The elements of WordPress's `$allowedposttags` for HTML; no form, frame, script, style, object or SVG. */
const TAGS = words(`
  address a abbr acronym area article aside audio b bdo big blockquote br button caption cite code col colgroup dd del
  details dfn div dl dt em fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd
  label legend li main map mark menu nav ol p pre q rb rp rt rtc ruby s samp section small span strike strong sub
  summary sup table tbody td textarea tfoot th thead time tr track tt u ul var video wbr
`)

const EVERYWHERE = words('class id style title role dir lang hidden align data-* aria-*')

const ATTRIBUTES: Readonly<Record<string, string>> = {
  a: 'href rel rev name target download',
  area: 'alt coords href nohref shape target',
  audio: 'autoplay controls loop muted preload src',
  blockquote: 'cite',
  button: 'disabled name type value',
  col: 'span valign width',
  colgroup: 'span valign width',
  del: 'datetime cite',
  details: 'open',
  font: 'color face size',
  hr: 'noshade size width',
  img: 'alt border height hspace loading longdesc vspace src srcset sizes usemap width decoding fetchpriority',
  ins: 'datetime cite',
  label: 'for',
  li: 'value',
  map: 'name',
  ol: 'start type reversed',
  pre: 'width',
  q: 'cite',
  table: 'bgcolor border cellpadding cellspacing rules summary width',
  td: 'abbr axis bgcolor colspan headers height nowrap rowspan scope valign width',
  textarea: 'cols rows disabled name readonly',
  tfoot: 'valign',
  th: 'abbr axis bgcolor colspan headers height nowrap rowspan scope valign width',
  time: 'datetime',
  tr: 'bgcolor valign',
  track: 'default kind label src srclang',
  ul: 'type',
  video: 'autoplay controls height loop muted playsinline poster preload src width',
}

/** WordPress's `safecss_filter_attr`: these properties, and nothing that loads, runs or escapes. */
const STYLES = words(`
  background background-color border border-bottom border-bottom-color border-bottom-left-radius
  border-bottom-right-radius border-bottom-style border-bottom-width border-collapse border-color border-left
  border-left-color border-left-style border-left-width border-radius border-right border-right-color
  border-right-style border-right-width border-spacing border-style border-top border-top-color
  border-top-left-radius border-top-right-radius border-top-style border-top-width border-width box-shadow
  caption-side clear color column-count column-gap column-width columns cursor direction display filter flex
  flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap float font font-family font-size font-style
  font-variant font-weight gap grid-column grid-row grid-template-columns height justify-content align-content
  align-items align-self letter-spacing line-height list-style-type margin margin-block-end margin-block-start
  margin-bottom margin-left margin-right margin-top max-height max-width min-height min-width object-fit
  object-position opacity order overflow padding padding-bottom padding-left padding-right padding-top row-gap
  text-align text-decoration text-indent text-transform vertical-align width word-spacing writing-mode aspect-ratio
`)
const SAFE_STYLE = [/^(?!.*(?:url|expression|attr|image-set|element)\s*\()[^\\<>{}&;@]*$/i]

const SCHEMES = words(`
  http https ftp ftps mailto news irc irc6 ircs gopher nntp telnet mms rtsp sms svn tel fax xmpp webcal urn
`)

const BODY: sanitizeHtml.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: {
    '*': EVERYWHERE,
    ...Object.fromEntries(Object.entries(ATTRIBUTES).map(([tag, names]) => [tag, words(names)])),
  },
  allowedStyles: { '*': Object.fromEntries(STYLES.map((property) => [property, SAFE_STYLE])) },
  allowedSchemes: SCHEMES,
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite', 'poster', 'longdesc', 'usemap'],
}

/** WordPress's `$allowedtags` without block-level elements. */
const TITLE: sanitizeHtml.IOptions = {
  allowedTags: words('a abbr acronym b cite code del em i q s strike strong'),
  allowedAttributes: { a: ['href', 'title'], abbr: ['title'], acronym: ['title'], del: ['datetime'], q: ['cite'] },
  allowedSchemes: SCHEMES,
}

/** Sanitizes a title for users without `unfiltered_html`; WordPress's `wp_filter_kses`. */
export function cleanTitle(html: string): string {
  return sanitized(html, TITLE)
}

/**
 * Sanitizes the text of a post for users without `unfiltered_html`; WordPress's `wp_filter_post_kses`. Block comments are kept, with
 * sanitized attributes; other comments are removed, except for `more` and `nextpage`.
 */
export function cleanPostHtml(html: string): string {
  if (!/[<&]/.test(html)) return html
  const token = randomUUID()
  const kept: string[] = []
  const marked = replaceComments(html, (comment) => {
    const safe = safeComment(comment)
    return safe === undefined ? '' : `[${token}:${kept.push(safe) - 1}]`
  })
  const clean = sanitized(marked, BODY)
  return clean.replace(new RegExp(`\\[${token}:(\\d+)\\]`, 'g'), (_, at) => kept[Number(at)] ?? '')
}

/** Replaces all comments as parsed by browsers; those in scripts and attributes are not comments. */
function replaceComments(html: string, replace: (comment: string) => string): string {
  if (!html.includes('<!--')) return html
  let result = ''
  let from = 0
  const depth = countDepth()
  const parser = new Parser({
    onopentag: depth.enter,
    onclosetag: depth.leave,
    oncomment(comment) {
      result += html.slice(from, parser.startIndex) + replace(comment)
      from = parser.endIndex + 1
    },
  })
  parser.end(html)
  return result + html.slice(from)
}

function safeComment(comment: string): string | undefined {
  if (/^(more( [^<>-]*)?|nextpage|noteaser)$/.test(comment.trim())) return `<!--${comment}-->`
  const [, lead, name, attributes, end] = /^(\s+\/?wp:)([a-z][a-z0-9/_-]*)\s*(\{.*\})?(\s*\/?)\s*$/s.exec(comment) ?? []
  if (lead === undefined || name === undefined) return undefined
  if (attributes === undefined) return /--|[<>]/.test(comment) ? undefined : `<!--${comment}-->`
  const cleaned = cleanAttributes(attributes)
  if (cleaned === undefined) return undefined
  return cleaned === attributes ? `<!--${comment}-->` : `<!--${lead}${name} ${cleaned}${end?.trim() ? ' /' : ' '}-->`
}

/** The attributes, unchanged if they contain no forbidden HTML; `undefined` for invalid JSON. */
function cleanAttributes(json: string): string | undefined {
  let attributes: JsonValue
  try {
    attributes = JSON.parse(json)
  } catch {
    return undefined
  }
  const cleaned = cleanValue(attributes)
  const isSame = JSON.stringify(cleaned) === JSON.stringify(attributes)
  return isSame && !/--|[<>]/.test(json) ? json : escapeJson(JSON.stringify(cleaned))
}

function cleanValue(value: JsonValue, depth = 0): JsonValue {
  if (depth > DEEPEST) throw tooDeep()
  if (typeof value === 'string') return /[<>]/.test(value) ? sanitized(value, BODY) : value
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([key, own]) => [key.replace(/[<>]/g, ''), cleanValue(own, depth + 1)]))
}

/** Escapes attributes like the block editor, so that they cannot end the comment. */
function escapeJson(json: string): string {
  return json
    .replaceAll('--', '\\u002d\\u002d')
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
    .replaceAll('\\"', '\\u0022')
}
