import { escapeHtml } from '../../../core/http/escape-html.ts'
import { createHtmlParser } from '../../text/html-parser.ts'
import type { OembedResponse } from './types.ts'

/** A text field of a response; empty if missing. */
export function textOf(response: OembedResponse | null, name: string): string {
  const value = response?.[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** The HTML that replaces a URL; WordPress's `data2html`. `null` if the response has nothing to show. */
export function toHtml(response: OembedResponse, url: string): string | null {
  const title = textOf(response, 'title')
  const link = (html: string) => `<a href="${escapeHtml(url)}">${html}</a>`
  switch (textOf(response, 'type')) {
    case 'photo': {
      const image = URL.parse(textOf(response, 'url'))
      const [width, height] = [numberOf(response, 'width'), numberOf(response, 'height')]
      if (!image || !/^https?:$/.test(image.protocol) || !width || !height) return null
      const src = escapeHtml(image.href)
      return link(`<img src="${src}" alt="${escapeHtml(title)}" width="${width}" height="${height}">`)
    }
    case 'video':
    case 'rich': {
      const html = textOf(response, 'html')
      return html === '' ? null : onOneLine(html)
    }
    case 'link':
      return title === '' ? null : link(escapeHtml(title))
    default:
      return null
  }
}

/** A positive number of pixels, which XML and some providers return as text; otherwise 0. */
function numberOf(response: OembedResponse, name: string): number {
  const value = Number(response[name])
  return Number.isFinite(value) && value > 0 ? Math.round(value) : 0
}

/** Removes line breaks, which `wpautop` would convert to paragraphs, except in preformatted text. */
function onOneLine(html: string): string {
  return /<pre[\s>]/i.test(html) ? html : html.replaceAll(/[\r\n]+/g, ' ')
}

/** Encodes square brackets in texts, so that text from a provider cannot run shortcodes. Scripts stay unchanged. */
export function withoutShortcodes(html: string): string {
  if (!html.includes('[')) return html
  let encoded = ''
  let from = 0
  let inScript = false
  const parser = createHtmlParser(
    {
      onopentagname: (name) => {
        inScript = name === 'script' || name === 'style'
      },
      onclosetag: () => {
        inScript = false
      },
      ontext(text) {
        if (inScript || !text.includes('[')) return
        encoded += html.slice(from, parser.startIndex) + text.replaceAll('[', '&#91;')
        from = parser.endIndex + 1
      },
    },
    { decodeEntities: false },
  )
  parser.end(html)
  return encoded + html.slice(from)
}

/** Hosts allowed in a policy source: URLs may contain `*` and `;`. */
const PLAIN_HOST = /^[a-z\d_-]+(?:\.[a-z\d_-]+)*$/

/**
 * Origins of the scripts in the HTML, for the content security policy. HTTPS only.
 * @param isTrusted URLs allowed without TLS, for tests
 */
export function scriptOrigins(html: string, isTrusted?: (url: URL) => boolean): string[] {
  if (!/<script/i.test(html)) return []
  const origins = new Set<string>()
  const parser = createHtmlParser({
    onopentag(name, { src }) {
      const url = name === 'script' && src ? URL.parse(src, 'https://site.invalid') : null
      if (!url || url.hostname === 'site.invalid') return
      if (url.protocol !== 'https:' && !isTrusted?.(url)) return
      if (PLAIN_HOST.test(url.hostname)) origins.add(url.origin)
    },
  })
  parser.end(html)
  return [...origins]
}
