/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** More ranges than a player or download manager asks for are a nuisance, and are answered with the whole file. */
const MOST = 16

/**
 * The parts of a file that a `Range` header asks for (RFC 9110, 14.1.2).
 * @returns `undefined`: answer the whole file, the header says nothing that is to be followed;
 * `[]`: none of the ranges lies in the file (416)
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
  // Ranges that overlap ask for more than the file holds.
  const asked = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0)
  return asked > size ? undefined : ranges
}
