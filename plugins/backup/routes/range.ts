/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The part of an archive that a `Range` header asks for (RFC 9110, 14.1.2).
 *
 * @returns `undefined` where the whole is to be answered: another unit, several ranges, or no range at all; `outside`
 * where the archive has none of the bytes (416)
 */
export function readRange(header: string, size: number): ByteRange | 'outside' | undefined {
  const [, first = '', last = ''] = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header) ?? []
  if (first === '' && last === '') return undefined
  if (first === '')
    return last === '0' || size === 0 ? 'outside' : { start: Math.max(0, size - Number(last)), end: size - 1 }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'outside'
  return start >= size ? 'outside' : { start, end: Math.min(last === '' ? size - 1 : Number(last), size - 1) }
}
