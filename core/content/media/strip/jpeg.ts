import { PROFILE_BYTES, part } from './part.ts'

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const COMMENT = 0xfe
/** The height again; no reader asks for it, and what it holds may be anything. */
const DNL = 0xdc

/** Keeps tables, scans, size and resolution (JFIF), colour profile (APP2) and colour transform (Adobe, APP14). ITU T.81, annex B. */
export function stripJpeg(bytes: Buffer): Buffer {
  const kept: Buffer[] = [Buffer.from([0xff, SOI])]
  let profile = 0
  let at = 2
  for (;;) {
    if (bytes.readUInt8(at) !== 0xff) throw new RangeError('There is no marker where one must be.')
    while (bytes.readUInt8(at + 1) === 0xff) at++
    const marker = bytes.readUInt8(at + 1)
    if (marker === EOI) break
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    const segment = part(bytes, at, end)
    const isProfile = marker === 0xe2 && nameOf(segment).startsWith('ICC_PROFILE\0')
    if (isProfile) profile += segment.length
    if (isProfile ? profile <= PROFILE_BYTES : isPicture(marker, segment)) kept.push(segment)
    at = end
    if (marker !== SOS) continue
    const scanEnd = endOfScan(bytes, end)
    kept.push(part(bytes, end, scanEnd))
    at = scanEnd
  }
  kept.push(Buffer.from([0xff, EOI]))
  return Buffer.concat(kept)
}

const nameOf = (segment: Buffer): string => segment.toString('latin1', 4, 16)

function isPicture(marker: number, segment: Buffer): boolean {
  if (marker === COMMENT || marker === DNL) return false
  if (marker < 0xe0 || marker > 0xef) return true
  // A JFIF header of 18 bytes has no thumbnail; Adobe's has 16.
  if (marker === 0xe0) return segment.length === 18 && nameOf(segment).startsWith('JFIF\0')
  return marker === 0xee && segment.length === 16 && nameOf(segment).startsWith('Adobe')
}

/** Where the next marker stands that is no part of the scan's data. */
function endOfScan(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from)
  while (at >= 0) {
    const next = bytes.readUInt8(at + 1)
    const isData = next === 0x00 || (next >= 0xd0 && next <= 0xd7)
    if (!isData && next !== 0xff) return at
    at = bytes.indexOf(0xff, at + (isData ? 2 : 1))
  }
  throw new RangeError('The scan has no end.')
}
