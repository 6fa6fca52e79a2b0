import { LRUCache } from 'lru-cache'
import { createHtmlParser } from './html-parser.ts'

/** Elements that end a word. */
const BLOCKS = new Set([
  ...['p', 'br', 'div', 'section', 'article', 'li', 'dt', 'dd', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'hr'],
  ...['header', 'footer', 'main', 'aside', 'nav', 'address', 'details', 'hgroup'],
  ...['blockquote', 'cite', 'figure', 'figcaption', 'summary', 'table', 'caption', 'tr', 'th', 'td'],
])

/** What a text has that is not its own plain text. */
const OTHER = /[<&]|[^\S ]| {2}|^ | $/

/** Maximum length of an HTML text whose plain text is cached: titles and names, which every page repeats. */
const SHORT = 500
const known = new LRUCache<string, string>({ max: 2000 })

/** The visible text of HTML as a single line: without tags, scripts and styles, with decoded entities. */
export function plainText(html: string): string {
  if (!OTHER.test(html)) return html
  if (!/[<&]/.test(html)) return html.replaceAll(/\s+/g, ' ').trim()
  if (html.length > SHORT) return parse(html)
  const text = known.get(html) ?? parse(html)
  known.set(html, text)
  return text
}

function parse(html: string): string {
  let text = ''
  let hidden = 0
  const isHidden = (name: string) => name === 'script' || name === 'style'
  const parser = createHtmlParser({
    onopentagname(name) {
      if (isHidden(name)) hidden++
      if (BLOCKS.has(name)) text += ' '
    },
    onclosetag(name) {
      if (isHidden(name)) hidden--
      if (BLOCKS.has(name)) text += ' '
    },
    ontext(part) {
      if (hidden === 0) text += part
    },
  })
  parser.end(html)
  return text.replaceAll(/\s+/g, ' ').trim()
}
