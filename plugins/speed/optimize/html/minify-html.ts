import { Parser } from 'htmlparser2'
import type { Transform } from '../transform.ts'

/** Elements in which every character may count; they stay as they are with all within them. */
const EXACT = new Set(
  'pre textarea code script style svg math template noscript xmp listing plaintext iframe'.split(' '),
)
/** Those of them that only their own end tag ends for sure. */
const MUST_BE_CLOSED = new Set(['pre', 'code', 'svg', 'math'])
/** Elements in which blanks between the children are never shown, whatever a style sheet says. */
const NO_TEXT = new Set('table thead tbody tfoot tr colgroup select optgroup datalist'.split(' '))
/** A style of the element's own that shows blanks. */
const KEEPS_BLANKS = /white-space(?:-collapse)?\s*:\s*(?:pre|break-spaces|preserve)/i

/**
 * Comments that somebody reads: licences and markers (`!`), conditional comments, WordPress's blocks and `<!--more-->`,
 * includes of servers (`#`, `esi`), `ko` of Knockout, notes to search engines, and marks without a word (`<!--[-->`),
 * by which client-side frameworks find their place.
 */
const KEPT_COMMENT =
  /^\s*(?:!|\[if\b|<!\[|\/?wp:|more\b|nextpage\b|noteaser\b|#|esi\b|\/?ko\b|google|\/?noindex)|^[^a-z]*$/i

/** HTML's own blanks; others, such as the no-break space, are text. Those between words, which stay, are not matched. */
const TOO_MANY_BLANKS = /[ \t\n\f\r]{2,}|[\t\f\r]/g
const BLANK = /[ \t\n\f\r]/

export function createMinifyHtml(): Transform {
  return {
    name: 'minifyHtml',
    isOn: ({ minifyHtml }) => minifyHtml === 'on',
    run: ({ source }) => minifyHtml(source),
  }
}

/**
 * Leaves out comments, and all but one of the blanks in a row. Tags, attributes, entities and invalid markup stay byte
 * for byte, the minified page minifies to itself.
 *
 * Made here, because html-minifier-next trims `<textarea>` and attributes, rewrites `disabled` and JSON-LD and drops
 * conditional comments with its most careful options.
 */
export function minifyHtml(source: string): string {
  const output: string[] = []
  /** Names of the open elements; the first that is to stay exact, counted from the outside. */
  const open: string[] = []
  let exactFrom = Number.POSITIVE_INFINITY
  /** Up to where the source was copied or left out. */
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
          KEEPS_BLANKS.test(attributes.style ?? '') ||
          ['data-no-optimize', 'contenteditable', 'xml:space'].some((attribute) => Object.hasOwn(attributes, attribute))
        if (isExact) exactFrom = open.length
      },
      onclosetag(name, isImplied) {
        const found = open.lastIndexOf(name)
        if (found < 0) return
        // `<b><pre>…</b>` closes no `<pre>` in browsers: from there on nobody knows what is exact.
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
        const isWhole = source.startsWith('<!--', start) && source.slice(start, end).endsWith('-->')
        copyTo(start)
        // Never glue together what stands around a comment: `<<!-- -->b>` must not become a tag.
        if (isWhole && !KEPT_COMMENT.test(data) && (last === '' || last === '>' || BLANK.test(last))) at = end
      },
    },
    { decodeEntities: false },
  )
  parser.end(source)
  copyTo(source.length)
  return output.join('')
}

/** One blank for several: a line break where there was one, since some elements show those. */
function collapse(text: string, place: { after: string; parent: string | undefined }): string {
  const short = text.replace(TOO_MANY_BLANKS, (blanks) => (/[\n\r]/.test(blanks) ? '\n' : ' '))
  if (!BLANK.test(short[0] ?? '')) return short
  const isHidden = short.length === 1 && place.parent !== undefined && NO_TEXT.has(place.parent)
  // A blank before it is still there when a comment between the two went.
  return isHidden || BLANK.test(place.after) ? short.slice(1) : short
}
