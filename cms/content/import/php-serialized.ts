import type { JsonValue } from '../../../core/options/types.ts'

/** Maximum nesting; deeper values are kept as text. */
const DEPTH = 64

/**
 * Decodes a value serialized by PHP without creating objects: scalars, `null` and arrays become JSON; an array with the keys 0, 1, 2, …
 * becomes a list. `undefined` for anything else (objects, references, wrong lengths, `NAN`), which is kept as text.
 * https://www.php.net/manual/en/function.serialize.php
 */
export function decodePhp(text: string): JsonValue | undefined {
  if (!/^(?:N;|[bids]:|a:\d+:\{)/.test(text)) return undefined
  const value = read(text)
  if (value !== undefined || !text.includes('\n')) return value
  // XML normalizes CR LF to LF, so strings are shorter than their serialized lengths.
  return read(text.replace(/\r?\n/g, '\r\n'))
}

function read(text: string): JsonValue | undefined {
  const bytes = Buffer.from(text, 'utf8')
  let at = 0

  function until(end: string): string {
    const stop = bytes.indexOf(end, at)
    if (stop < 0) throw new SyntaxError('cut off')
    const part = bytes.toString('latin1', at, stop)
    at = stop + end.length
    return part
  }
  function expect(part: string): void {
    if (bytes.toString('latin1', at, at + part.length) !== part) throw new SyntaxError(`no ${part}`)
    at += part.length
  }
  function number(digits: string, form: RegExp): number {
    const value = Number(digits)
    if (!form.test(digits) || !Number.isFinite(value)) throw new SyntaxError('no number')
    return value
  }
  function count(digits: string): number {
    const value = number(digits, /^\d{1,9}$/)
    if (value > bytes.length) throw new SyntaxError('more than there is')
    return value
  }
  function string(): string {
    const length = count(until(':'))
    expect('"')
    const part = bytes.toString('utf8', at, at + length)
    if (Buffer.byteLength(part) !== length) throw new SyntaxError('cut inside a character')
    at += length
    expect('";')
    return part
  }
  function array(depth: number): JsonValue {
    const length = count(until(':'))
    expect('{')
    const entries: [string | number, JsonValue][] = []
    for (let index = 0; index < length; index++) {
      const key = value(depth + 1)
      if (typeof key !== 'string' && typeof key !== 'number') throw new SyntaxError('no key')
      if (key === '__proto__') throw new SyntaxError('an invalid key')
      entries.push([key, value(depth + 1)])
    }
    expect('}')
    if (entries.every(([key], index) => key === index)) return entries.map(([, item]) => item)
    return Object.fromEntries(entries)
  }
  function value(depth: number): JsonValue {
    if (depth > DEPTH) throw new SyntaxError('too deep')
    const type = bytes.toString('latin1', at, at + 1)
    at += 1
    if (type === 'N') {
      expect(';')
      return null
    }
    expect(':')
    if (type === 'b') return number(until(';'), /^[01]$/) === 1
    if (type === 'i') {
      const integer = number(until(';'), /^[+-]?\d+$/)
      if (!Number.isSafeInteger(integer)) throw new SyntaxError('too large')
      return integer
    }
    if (type === 'd') return number(until(';'), /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i)
    if (type === 's') return string()
    if (type === 'a') return array(depth)
    throw new SyntaxError('not JSON')
  }

  try {
    const result = value(0)
    return at === bytes.length ? result : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
