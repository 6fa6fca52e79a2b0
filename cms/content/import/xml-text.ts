import { WxrError } from './wxr-error.ts'

/** Characters that XML 1.0 forbids; real exports contain them in pasted text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
export const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const CDATA = '<![CDATA['
const CDATA_END = ']]>'
/** What follows the end of a section: soon the end of its element, or the rest of a text that contained `]]>`. */
const AFTER_CDATA = /^(?:<!\[CDATA\[|[^\]]*?<\/(?:[a-z]+:[a-z_]+|title|link|guid|category|description)>)/i
/** Maximum length of a mark that may continue in the next chunk. */
const LONGEST_MARK = 64
export const LONGEST_DECLARATION = 1000
/** Blank and control characters that an export may begin with. */
export const MOST_BLANK = 64 * 1024

/**
 * Repairs, chunk by chunk, what exports have although it is not XML: control characters, `&` that begins no entity
 * outside CDATA (addresses of commenters are not escaped), `]]>` that ends nothing, and blank lines before the XML
 * declaration. Line numbers stay.
 * @throws WxrError from `write` where more blanks than `MOST_BLANK` come first
 */
export function createXmlRepair(): { write(chunk: string): string; end(): string } {
  let isBegun = false
  let inCdata = false
  let rest = ''

  /** Blank and control characters before the first other one. */
  let blank = 0

  /** The declaration says nothing that is not known by now, and may only stand at the very beginning. */
  function withoutDeclaration(text: string, isLast: boolean): string | undefined {
    const isCut = text.length < 6 || (text.length < LONGEST_DECLARATION && !text.includes('?>'))
    if (isCut && !isLast && '<?xml '.startsWith(text.slice(0, 6))) return undefined
    isBegun = true
    return text.replace(/^<\?xml\s[^>]*\?>/, lineBreaks)
  }

  function take(text: string, isLast: boolean): string {
    let result = ''
    let at = 0
    for (;;) {
      const stop = text.indexOf(inCdata ? CDATA_END : CDATA, at)
      if (stop < 0) break
      const end = stop + (inCdata ? CDATA_END.length : CDATA.length)
      const next = inCdata ? text.slice(end, end + LONGEST_MARK) : ''
      // Whether it ends the section cannot be seen yet.
      if (inCdata && next.length < LONGEST_MARK && !isLast) {
        rest = text.slice(stop)
        return result + text.slice(at, stop)
      }
      const isStray = inCdata && !AFTER_CDATA.test(next)
      if (isStray) result += `${text.slice(at, stop)}]]${CDATA_END}${CDATA}>`
      else result += inCdata ? text.slice(at, end) : escapeMarks(text.slice(at, stop)) + CDATA
      at = end
      if (!isStray) inCdata = !inCdata
    }
    const keep = isLast ? text.length : Math.max(at, heldBack(text, at))
    const part = text.slice(at, keep)
    rest = text.slice(keep)
    return result + (inCdata ? part : escapeMarks(part))
  }

  /** Start of an incomplete mark at the end of the text. */
  function heldBack(text: string, from: number): number {
    const tail = Math.max(from, text.length - LONGEST_MARK)
    const found = inCdata ? text.slice(tail).search(/\]{1,2}$/) : text.slice(tail).search(/&[^;]*$|<[^>]*$|\]{1,2}$/)
    return found < 0 ? text.length : tail + found
  }

  function write(chunk: string, isLast: boolean): string {
    const readable = chunk.replace(FORBIDDEN, '')
    // Each chunk is examined once, even if many are blank.
    const content = isBegun || rest !== '' ? readable : readable.trimStart()
    const skipped = readable.length - content.length
    if (!isBegun && rest === '') blank += chunk.length - content.length
    if (blank > MOST_BLANK) throw new WxrError(`begins with more than ${MOST_BLANK} blank characters`, 0)
    const before = lineBreaks(readable.slice(0, skipped))
    const text = rest + content
    const begun = isBegun ? text : withoutDeclaration(text, isLast)
    if (begun !== undefined) return before + take(begun, isLast)
    rest = text
    return before
  }

  return { write: (chunk) => write(chunk, false), end: () => write('', true) }
}

function lineBreaks(text: string): string {
  return text.replace(/[^\n]/g, '')
}

function escapeMarks(text: string): string {
  return text.replace(/&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][\da-z]{1,30});)/gi, '&amp;').replaceAll(CDATA_END, ']]&gt;')
}
