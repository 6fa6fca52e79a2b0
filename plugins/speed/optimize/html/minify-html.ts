import { Parser } from 'htmlparser2'
import type { Transform } from '../transform.ts'

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

export function createMinifyHtml(): Transform {
  return {
    name: 'minifyHtml',
    isOn: ({ minifyHtml }) => minifyHtml === 'on',
    run: ({ source }) => minifyHtml(source),
  }
}

/**
 * Removes comments and collapses whitespace. Tags, attributes, entities and invalid markup are unchanged; the result is
 * idempotent.
 *
 * Not html-minifier-next, which even with its most conservative options trims `<textarea>` and attributes, rewrites
 * `disabled` and JSON-LD, and drops conditional comments.
 */
export function minifyHtml(source: string): string {
  const output: string[] = []
  /** Names of the open elements, and the depth of the first one whose content is preserved. */
  const open: string[] = []
  let exactFrom = Number.POSITIVE_INFINITY
  /** Position up to which the source was processed. */
  let at = 0
  let last = ''
  const write = (text: string) => {
    if (text === '') return
    output.push(text)
    last = text.at(-1) ?? last
  }
  const copyTo = (end: number) => {
    write(source.slice(at, end))
    at = end
  }

  const parser = new Parser(
    {
      onopentag(name, attributes, isImplied) {
        if (isImplied) return
        open.push(name)
        if (exactFrom < open.length) return
        const isExact =
          EXACT.has(name) ||
          PRESERVES_WHITESPACE.test(attributes.style ?? '') ||
          ['data-no-optimize', 'contenteditable', 'xml:space'].some((attribute) => Object.hasOwn(attributes, attribute))
        if (isExact) exactFrom = open.length
      },
      onclosetag(name, isImplied) {
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
      ontext() {
        if (exactFrom <= open.length) return
        const [start, end] = [parser.startIndex, parser.endIndex + 1]
        copyTo(start)
        write(collapse(source.slice(start, end), { after: last, parent: open.at(-1) }))
        at = Math.max(at, end)
      },
      oncomment(data) {
        if (exactFrom <= open.length) return
        const [start, end] = [parser.startIndex, parser.endIndex + 1]
        const isComplete = source.startsWith('<!--', start) && source.slice(start, end).endsWith('-->')
        copyTo(start)
        // Never join the text around a comment: `<<!-- -->b>` must not become a tag.
        if (isComplete && !SIGNIFICANT_COMMENT.test(data) && (last === '' || last === '>' || BLANK.test(last))) at = end
      },
    },
    { decodeEntities: false },
  )
  parser.end(source)
  copyTo(source.length)
  return output.join('')
}

/** Collapses whitespace, preserving a line break, since some elements render those. */
function collapse(text: string, place: { after: string; parent: string | undefined }): string {
  const short = text.replace(COLLAPSIBLE, (blanks) => (/[\n\r]/.test(blanks) ? '\n' : ' '))
  if (!BLANK.test(short[0] ?? '')) return short
  const isHidden = short.length === 1 && place.parent !== undefined && NO_TEXT.has(place.parent)
  // Whitespace before a removed comment is still there.
  return isHidden || BLANK.test(place.after) ? short.slice(1) : short
}
