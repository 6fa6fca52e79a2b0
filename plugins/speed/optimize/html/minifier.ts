/** Elements whose content may be significant and is not changed. */
const EXACT = new Set(
  'pre textarea code script style svg math template noscript xmp listing plaintext iframe'.split(' '),
)
/** Those that only end reliably at their own end tag. */
const MUST_BE_CLOSED = new Set(['pre', 'code', 'svg', 'math'])
/** Elements in which whitespace between children is never rendered. */
const NO_TEXT = new Set('table thead tbody tfoot tr colgroup select optgroup datalist'.split(' '))
/** An inline style that preserves whitespace. */
const PRESERVES_WHITESPACE = /white-space(?:-collapse)?\s*:\s*(?:pre|break-spaces|preserve)/i

/**
 * Significant comments: licenses and markers (`!`), conditional comments, WordPress blocks and `<!--more-->`,
 * server-side includes (`#`, `esi`), Knockout (`ko`), search engine hints, and markers without words (`<!--[-->`) of
 * client-side frameworks.
 */
const SIGNIFICANT_COMMENT =
  /^\s*(?:!|\[if\b|<!\[|\/?wp:|more\b|nextpage\b|noteaser\b|#|esi\b|\/?ko\b|google|\/?noindex)|^[^a-z]*$/i

/**
 * Collapsible HTML whitespace; other characters, such as the no-break space, are text. Single spaces are not matched.
 */
const COLLAPSIBLE = /[ \t\n\f\r]{2,}|[\t\f\r]/g
const BLANK = /[ \t\n\f\r]/

/** What the minified form of a part depends on, besides the open elements. */
export interface MinifierState {
  /** Number of open elements from which on the content is preserved. */
  readonly exactFrom: number
  /** Kind of the last character: the end of a tag (or the start of the page), whitespace or text. */
  readonly after: '>' | ' ' | 'x'
}

/** The state at the start of a page. */
export const minifierStart: MinifierState = { exactFrom: Number.POSITIVE_INFINITY, after: '>' }

/** Receives the parts of a text in order, as the parser finds them; ranges are offsets in the text. */
export interface Minifier {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close(name: string, isImplied: boolean): void
  text(start: number, end: number): void
  comment(data: string, start: number, end: number): void
  end(): { readonly minified: string; readonly state: MinifierState }
}

/**
 * Removes comments and collapses whitespace. Tags, attributes, entities and invalid markup are unchanged; the result is
 * idempotent.
 *
 * Not html-minifier-next, which even with its most conservative options trims `<textarea>` and attributes, rewrites
 * `disabled` and JSON-LD, and drops conditional comments.
 */
export function createMinifier(
  source: string,
  before: { readonly open: readonly { readonly name: string }[]; readonly minifier: MinifierState },
): Minifier {
  const output: string[] = []
  /** Names of the open elements. */
  const open = before.open.map(({ name }) => name)
  let { exactFrom, after } = before.minifier
  /** Position up to which the source was processed. */
  let at = 0
  const write = (text: string) => {
    const last = text.at(-1)
    if (last === undefined) return
    output.push(text)
    after = last === '>' ? '>' : BLANK.test(last) ? ' ' : 'x'
  }
  const copyTo = (end: number) => {
    write(source.slice(at, end))
    at = end
  }

  return {
    open(name, attributes) {
      open.push(name)
      if (exactFrom < open.length) return
      const isExact =
        EXACT.has(name) ||
        PRESERVES_WHITESPACE.test(attributes.style ?? '') ||
        ['data-no-optimize', 'contenteditable', 'xml:space'].some((attribute) => Object.hasOwn(attributes, attribute))
      if (isExact) exactFrom = open.length
    },
    close(name, isImplied) {
      const found = open.lastIndexOf(name)
      if (found < 0) return
      // `<b><pre>…</b>` does not close `<pre>` in browsers: preserve everything from here on.
      if (isImplied && MUST_BE_CLOSED.has(name)) {
        exactFrom = 0
        return
      }
      open.length = found
      if (open.length < exactFrom) exactFrom = Number.POSITIVE_INFINITY
    },
    text(start, end) {
      if (exactFrom <= open.length) return
      copyTo(start)
      write(collapse(source.slice(start, end), { isAfterBlank: after === ' ', parent: open.at(-1) }))
      at = Math.max(at, end)
    },
    comment(data, start, end) {
      if (exactFrom <= open.length) return
      const isComplete = source.startsWith('<!--', start) && source.slice(start, end).endsWith('-->')
      copyTo(start)
      // Never join the text around a comment: `<<!-- -->b>` must not become a tag.
      if (isComplete && !SIGNIFICANT_COMMENT.test(data) && after !== 'x') at = end
    },
    end() {
      copyTo(source.length)
      return { minified: output.join(''), state: { exactFrom, after } }
    },
  }
}

/** Collapses whitespace, preserving a line break, since some elements render those. */
function collapse(text: string, place: { isAfterBlank: boolean; parent: string | undefined }): string {
  const short = text.replace(COLLAPSIBLE, (blanks) => (/[\n\r]/.test(blanks) ? '\n' : ' '))
  if (!BLANK.test(short[0] ?? '')) return short
  const isHidden = short.length === 1 && place.parent !== undefined && NO_TEXT.has(place.parent)
  // Whitespace before a removed comment is still there.
  return isHidden || place.isAfterBlank ? short.slice(1) : short
}
