import { escapeAmpersands, typeset } from './typeset.ts'
import { typographyOf } from './typography.ts'

/** WordPress's default of the `no_texturize_tags` filter. */
export const UNTOUCHED_TAGS: readonly string[] = ['pre', 'code', 'kbd', 'style', 'script', 'tt']
/** WordPress's default of the `no_texturize_shortcodes` filter. */
export const UNTOUCHED_SHORTCODES: readonly string[] = ['code']

/** Rules of `texturize`; a value that can be passed to a thread. */
export interface TexturizeRules {
  /** BCP 47. */
  readonly language: string
  /** Elements whose text is left unchanged. */
  readonly tags: readonly string[]
  /** The shortcodes of the site that the text may have; other words in brackets are text. */
  readonly shortcodes: readonly string[]
  /** Shortcodes whose content is left unchanged. */
  readonly untouchedShortcodes: readonly string[]
}

/** A tag of a shortcode, opening or closing, in double brackets where it is shown and not run. */
const SHORTCODE = /\[[/[]?([\w-]+)(?=[\s\]/])[^[\]]*\]\]?/y

/**
 * Typographic quotes, dashes, ellipses and multiplication signs for the typed ones of an HTML text; WordPress's
 * `wptexturize`. One walk over the text, which leaves tags, comments and shortcodes as they are, but for their `&`.
 */
export function texturize(html: string, rules: TexturizeRules): string {
  const typography = typographyOf(rules.language)
  const known = new Set(rules.shortcodes)
  const tags = new Enclosing(rules.tags)
  const shortcodes = new Enclosing(rules.untouchedShortcodes)
  let set = ''
  let textStart = 0

  const addText = (end: number) => {
    const text = html.slice(textStart, end)
    set += text.trim() === '' || tags.isOpen || shortcodes.isOpen ? text : typeset(text, typography)
  }

  const markup = /[<[]/g
  const tagEnd = createTagEnds(html)
  for (let found = markup.exec(html); found; found = markup.exec(html)) {
    const start = found.index
    const end = found[0] === '<' ? tagEnd(start) : shortcodeEnd(html, start, known)
    if (end < 0) continue
    addText(start)
    const part = html.slice(start, end)
    if (part.startsWith('<!--')) set += part
    else if (part.startsWith('<')) {
      set += escapeAmpersands(part)
      tags.meet(part)
    } else {
      set += part
      if (!part.startsWith('[[') && !part.endsWith(']]')) shortcodes.meet(part)
    }
    markup.lastIndex = textStart = end
  }
  addText(html.length)
  return set
}

/** The elements, or shortcodes, of some names that are open at the place that a walk has reached. */
class Enclosing {
  readonly #names: ReadonlySet<string>
  readonly #open: string[] = []

  constructor(names: readonly string[]) {
    this.#names = new Set(names)
  }

  get isOpen(): boolean {
    return this.#open.length > 0
  }

  /** @param tag `<pre class="a">`, `[/code]` */
  meet(tag: string): void {
    const isClosing = tag[1] === '/'
    const name = tag.slice(isClosing ? 2 : 1, -1).split(' ', 1)[0] ?? ''
    if (!this.#names.has(name)) return
    if (!isClosing) this.#open.push(name)
    else if (this.#open.at(-1) === name) this.#open.pop()
  }
}

/**
 * Finds where the tag or comment ends that starts at an offset: at the end of the text if nothing closes it. Unlike in
 * WordPress a `>` within a quoted attribute is none.
 */
function createTagEnds(html: string): (start: number) => number {
  /** Quotes known not to occur again, to avoid repeated searches. */
  const missing = new Set<string>()

  function closingQuote(quote: string, from: number): number {
    const at = missing.has(quote) ? -1 : html.indexOf(quote, from)
    if (at < 0) missing.add(quote)
    return at
  }

  function endAfter(needle: string, from: number): number {
    const at = html.indexOf(needle, from)
    return at < 0 ? html.length : at + needle.length
  }

  return (start) => {
    if (html.startsWith('<!--', start)) return endAfter('-->', start)
    const special = /=\s?["']|>/g
    special.lastIndex = start
    for (let found = special.exec(html); found; found = special.exec(html)) {
      if (found[0] === '>') return special.lastIndex
      const close = closingQuote(found[0].slice(-1), special.lastIndex)
      if (close < 0) return endAfter('>', special.lastIndex)
      special.lastIndex = close + 1
    }
    return html.length
  }
}

function shortcodeEnd(html: string, start: number, known: ReadonlySet<string>): number {
  SHORTCODE.lastIndex = start
  const name = SHORTCODE.exec(html)?.[1]
  return name !== undefined && known.has(name) ? SHORTCODE.lastIndex : -1
}
