/** Byte range from `start` to `end`, inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Maximum number of ranges: requests for more are likely abusive, and get the whole file. */
const MOST = 16

/**
 * Parses a `Range` header (RFC 9110, 14.1.2). @returns `undefined` to send the whole file because the header is invalid
 * or ignored; `[]` if no range is satisfiable (416)
 */
export function readRanges(header: string, size: number): ByteRange[] | undefined {
  const specs = /^bytes=(.+)$/i.exec(header.trim())?.[1]?.split(',')
  if (!specs || specs.length > MOST) return undefined
  const ranges: ByteRange[] = []
  for (const spec of specs) {
    const match = /^\s*(\d{0,15})-(\d{0,15})\s*$/.exec(spec)
    if (!match || (match[1] === '' && match[2] === '')) return undefined
    const [first, last] = [match[1], match[2]].map((text) => (text ? Number(text) : undefined))
    if (first !== undefined && last !== undefined && last < first) return undefined
    const start = first ?? Math.max(0, size - (last ?? 0))
    const end = first === undefined ? size - 1 : Math.min(last ?? size - 1, size - 1)
    if (start <= end) ranges.push({ start, end })
  }
  // Overlapping ranges would exceed the size of the file.
  const asked = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0)
  return asked > size ? undefined : ranges
}
