/** Boxes with the picture in them (ISO 14496-12, ISO 23008-12); films, that is sequences, have the last. */
const KEPT: ReadonlySet<string> = new Set(['ftyp', 'meta', 'mdat', 'moov'])

/**
 * Overwrites boxes that are not part of the picture with zeros, and removes trailing data. Offsets must not change, because the picture's
 * parts are referenced by them. Nested boxes are kept.
 */
export function stripAvif(bytes: Buffer): Buffer {
  const kept = Buffer.from(bytes)
  let at = 0
  let end = 0
  while (at + 8 <= kept.length) {
    const type = kept.toString('latin1', at + 4, at + 8)
    const next = endOfBox(kept, at)
    if (next === undefined) break
    if (KEPT.has(type)) end = next
    else kept.fill(0, at + 8, next).write('free', at + 4, 'latin1')
    at = next
  }
  return kept.subarray(0, end)
}

/** A size of 0 extends to the end of the file; 1 means that the next eight bytes contain the size. */
function endOfBox(bytes: Buffer, at: number): number | undefined {
  const size = bytes.readUInt32BE(at)
  if (size === 0) return bytes.length
  if (size === 1 && at + 16 > bytes.length) return undefined
  const whole = size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size
  return whole < 8 || at + whole > bytes.length ? undefined : at + whole
}
