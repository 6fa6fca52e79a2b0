import { createHtmlParser } from './html-parser.ts'

/** Elements that end a word. */
const BLOCKS = new Set(['p', 'br', 'div', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'figure', 'blockquote', 'tr', 'td'])

/** The visible text of HTML as a single line: without tags, scripts and styles, with decoded entities. */
export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return html.replaceAll(/\s+/g, ' ').trim()
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
