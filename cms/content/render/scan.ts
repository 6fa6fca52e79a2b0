/** Helpers for walking over a text in linear time, regardless of its content. */

/** A replacement of part of a text, with offsets in the original. */
export interface Change {
  readonly start: number
  readonly end: number
  readonly put: string
}

/**
 * Replaces parts of a text from left to right, as `String.replaceAll` does.
 * @param found global; where a part may be. It must be without quantifiers over what can stand anywhere (`\s*` at its
 *   start, `[^>]*`), for those are what takes the square of a text's length
 * @param change the part for what was found between `start` and `end`; `undefined` leaves it, and looks on behind its
 *   first character; a number leaves all up to that offset. `done` is the end of the part before, which it may reach back to
 */
export function rewrite(
  text: string,
  found: RegExp,
  change: (start: number, end: number, done: number) => Change | number | undefined,
): string {
  let written = ''
  let done = 0
  found.lastIndex = 0
  for (let match = found.exec(text); match; match = found.exec(text)) {
    const changed = change(match.index, found.lastIndex, done)
    if (typeof changed === 'object') {
      written += text.slice(done, changed.start) + changed.put
      found.lastIndex = done = changed.end
    } else {
      // Another may start within what was found.
      found.lastIndex = changed ?? match.index + 1
    }
  }
  return done === 0 ? text : written + text.slice(done)
}

/**
 * A search with a cache: it visits each character of the text once, regardless of the number of calls.
 * @returns the start of the next match at or after the offset, or -1. Offsets must not decrease.
 */
export function createFinder(text: string, found: RegExp): (from: number) => number {
  let at: number | undefined
  return (from) => {
    if (at === undefined || (at >= 0 && at < from)) {
      found.lastIndex = from
      at = found.exec(text)?.index ?? -1
    }
    return at
  }
}

/** The end of the blanks that stand at the offset. */
export function blanksEnd(text: string, from: number): number {
  let end = from
  while (isBlank(text.charCodeAt(end))) end++
  return end
}

/** The start of the blanks that stand before the offset, `floor` at the least. */
export function blanksStart(text: string, from: number, floor = 0): number {
  let start = from
  while (start > floor && isBlank(text.charCodeAt(start - 1))) start--
  return start
}

/** `\s` of regular expressions. */
export function isBlank(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 9 && code <= 13)
  if (code === 0xa0 || code === 0x1680 || code === 0xfeff || code === 0x3000) return true
  return (code >= 0x2000 && code <= 0x200a) || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f
}
