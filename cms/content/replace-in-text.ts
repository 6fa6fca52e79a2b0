import { isSerialized } from './php-serialize.ts'

/** Texts within texts that PHP serialized, within … */
const DEPTH = 10

/** Computes the replacement of a text. */
export type ReplaceText = (text: string) => string

/**
 * Replaces in a text; in text serialized by PHP, only in its strings, whose lengths are adjusted. Serialized text that is invalid or
 * contains an object with a custom format is unchanged.
 */
export function replaceIn(text: string, replace: ReplaceText, depth = DEPTH): string {
  if (!isSerialized(text)) return replace(text)
  if (depth === 0) return text
  return inSerialized(text, (part) => replaceIn(part, replace, depth - 1)) ?? text
}

/** https://www.php.net/manual/en/function.serialize.php; `undefined` for what does not follow it. */
function inSerialized(text: string, replace: ReplaceText): string | undefined {
  const bytes = Buffer.from(text)
  const parts: string[] = []
  let copied = 0
  let at = 0

  const find = (end: string): number => {
    const found = bytes.indexOf(end, at)
    return found < 0 ? Number.NaN : found + end.length
  }
  /** Offsets of the string after `x:5:"`; moves `at` past its closing quote. */
  function quoted(): readonly [start: number, end: number] | undefined {
    const match = /^.:(\d{1,9}):"/.exec(bytes.toString('latin1', at, at + 16))
    if (!match) return undefined
    const start = at + match[0].length
    const end = start + Number(match[1])
    if (bytes[end] !== 0x22) return undefined
    at = end + 1
    return [start, end]
  }

  while (at < bytes.length) {
    const begin = at
    const type = String.fromCharCode(bytes[at] ?? 0)
    if (type === '}') at++
    else if ('Nbidr'.includes(type) || type === 'R') at = find(';')
    else if (type === 'a') at = find('{')
    else if (type === 's') {
      const place = quoted()
      if (!place) return undefined
      const [start, end] = place
      const string = bytes.toString('utf8', start, end)
      const replaced = replace(string)
      if (replaced !== string) {
        parts.push(bytes.toString('utf8', copied, begin), `s:${Buffer.byteLength(replaced)}:"${replaced}"`)
        copied = at
      }
      at = find(';')
    } else if (type === 'O' || type === 'E') {
      if (!quoted()) return undefined
      at = find(type === 'O' ? '{' : ';')
    } else return undefined
    if (Number.isNaN(at)) return undefined
  }
  return parts.join('') + bytes.toString('utf8', copied)
}
