/** What XML 1.0 does not allow; real exports have it in pasted text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const CDATA = '<![CDATA['
const CDATA_END = ']]>'
/** A mark at the end of a chunk may go on in the next one. */
const LONGEST_MARK = 32

/**
 * Repairs, chunk by chunk, what WordPress writes although it is not XML: control characters, and `&` that begins no
 * entity outside CDATA (addresses of commenters are not escaped). Line numbers stay.
 */
export function createXmlRepair(): { write(chunk: string): string; end(): string } {
  let inCdata = false
  let rest = ''

  function take(text: string, isLast: boolean): string {
    let result = ''
    let at = 0
    for (;;) {
      const stop = text.indexOf(inCdata ? CDATA_END : CDATA, at)
      if (stop < 0) break
      const end = stop + (inCdata ? CDATA_END.length : CDATA.length)
      result += inCdata ? text.slice(at, end) : escapeAmpersands(text.slice(at, end))
      at = end
      inCdata = !inCdata
    }
    const keep = isLast ? text.length : Math.max(at, heldBack(text, at))
    const part = text.slice(at, keep)
    rest = text.slice(keep)
    return result + (inCdata ? part : escapeAmpersands(part))
  }

  /** Where an unfinished mark may begin. */
  function heldBack(text: string, from: number): number {
    const tail = Math.max(from, text.length - LONGEST_MARK)
    const found = inCdata ? text.slice(tail).search(/\]{1,2}$/) : text.slice(tail).search(/&[^;]*$|<[^>]*$/)
    return found < 0 ? text.length : tail + found
  }

  return {
    write: (chunk) => take(rest + chunk.replace(FORBIDDEN, ''), false),
    end: () => take(rest, true),
  }
}

function escapeAmpersands(text: string): string {
  return text.replace(/&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][\da-z]{1,30});)/gi, '&amp;')
}
