/** A byte range; `start` and `end` are inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Parses a `Range` header (RFC 9110, 14.1.2).
 *
 * @returns `undefined` if the header is to be ignored (another unit or several ranges); `outside` if the range is
 *   invalid or not satisfiable (416)
 */
export function readRange(header: string, size: number): ByteRange | 'outside' | undefined {
  const [, wanted] = /^\s*bytes\s*=([^,]*)$/i.exec(header) ?? []
  if (wanted === undefined) return undefined
  const [, first = '', last = ''] = /^\s*(\d*)\s*-\s*(\d*)\s*$/.exec(wanted) ?? []
  if (first === '' && last === '') return 'outside'
  if (first === '') {
    const start = Math.max(0, size - Number(last))
    return start === size ? 'outside' : { start, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'outside'
  return start >= size ? 'outside' : { start, end: Math.min(last === '' ? size - 1 : Number(last), size - 1) }
}
