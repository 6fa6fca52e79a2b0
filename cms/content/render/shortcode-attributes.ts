import { blanksEnd, createFinder, isBlank } from './scan.ts'
import type { Shortcode } from './types.ts'

/** An unquoted attribute value. */
const NAME = /[\w-]+/y
const WORD = /\S+/y
const VALUE = /[^\s'"]+/y

/**
 * The attributes of a shortcode: `ids="4,5"`, `link='file'`, `columns=3`, and values without a name. WordPress's
 * `shortcode_parse_atts`, which tries each form from each character, as one walk over the text.
 * @param written what stands between the shortcode's name and its bracket
 */
export function readAttributes(written: string): Pick<Shortcode, 'attributes' | 'values'> {
  const text = written.replaceAll(/[\u00a0\u200b]/g, ' ')
  const findQuote = { '"': createFinder(text, /"/g), "'": createFinder(text, /'/g) }
  const attributes: Record<string, string> = {}
  const values: string[] = []
  for (let at = blanksEnd(text, 0); at < text.length; at = blanksEnd(text, at)) {
    const name = run(NAME, at)
    const equals = blanksEnd(text, at + name.length)
    const start = name !== '' && text[equals] === '=' ? blanksEnd(text, equals + 1) : at
    const value = quoted(start) ?? (start > at ? unquoted(start) : undefined)
    if (value !== undefined) {
      if (start > at) attributes[name.toLowerCase()] = value.text
      else if (value.text !== '') values.push(value.text)
      at = value.end
    } else {
      const word = run(WORD, at)
      values.push(word)
      at += word.length
    }
  }
  return { attributes, values }

  function quoted(start: number): { text: string; end: number } | undefined {
    const quote = text[start]
    if (quote !== '"' && quote !== "'") return undefined
    const close = findQuote[quote](start + 1)
    return close >= 0 && endsAt(close + 1) ? { text: text.slice(start + 1, close), end: close + 1 } : undefined
  }

  function unquoted(start: number): { text: string; end: number } | undefined {
    const value = run(VALUE, start)
    const end = start + value.length
    return value !== '' && endsAt(end) ? { text: value, end } : undefined
  }

  function endsAt(at: number): boolean {
    return at === text.length || isBlank(text.charCodeAt(at))
  }

  function run(characters: RegExp, at: number): string {
    characters.lastIndex = at
    return characters.exec(text)?.[0] ?? ''
  }
}
