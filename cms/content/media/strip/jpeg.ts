import { PROFILE_BYTES, part } from './part.ts'
import { isPrivateExif, isPrivatePhotoshop, isPrivateXmp } from './private.ts'

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const COMMENT = 0xfe
/** Repeats the height; decoders ignore it, and its content is arbitrary. */
const DNL = 0xdc

/** Keeps tables, scans, size and resolution (JFIF), color profile (APP2) and color transform (Adobe, APP14). ITU T.81, annex B. */
export function stripJpeg(bytes: Buffer): Buffer {
  return partsOf(bytes, isPicture)
}

/** Like {@link stripJpeg}, but keeps Exif, XMP and IPTC data without a location: author and date remain, as in WordPress. */
export function stripPrivate(bytes: Buffer): Buffer {
  let isPrivate = false
  const kept = partsOf(bytes, (marker, segment) => {
    if (isPicture(marker, segment)) return true
    const isOfSomebody = marker === 0xe1 || marker === 0xed ? isPrivateSegment(segment) : undefined
    if (isOfSomebody) isPrivate = true
    return isOfSomebody === false
  })
  return isPrivate ? stripJpeg(bytes) : kept
}

/** Whether a metadata segment contains a location or hidden data; `undefined` if it is of an unknown kind. */
function isPrivateSegment(segment: Buffer): boolean | undefined {
  for (const [name, isPrivate] of METADATA) {
    if (segment.toString('latin1', 4, 4 + name.length) === name) return isPrivate(segment.subarray(4 + name.length))
  }
  return undefined
}

const METADATA: readonly [name: string, isPrivate: (content: Buffer) => boolean][] = [
  ['Exif\0\0', isPrivateExif],
  ['http://ns.adobe.com/xap/1.0/\0', isPrivateXmp],
  ['http://ns.adobe.com/xmp/extension/\0', () => true],
  ['Photoshop 3.0\0', isPrivatePhotoshop],
]

function partsOf(bytes: Buffer, isKept: (marker: number, segment: Buffer) => boolean): Buffer {
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
    if (isProfile ? profile <= PROFILE_BYTES : isKept(marker, segment)) kept.push(segment)
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

/** Position of the next marker outside of the scan data. */
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
