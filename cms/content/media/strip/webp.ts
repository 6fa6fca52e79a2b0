import { PROFILE_BYTES, part } from './part.ts'

/** Chunks of pictures and animations (RFC 9649): not `EXIF`, `XMP ` or unknown chunks. */
const KEPT: ReadonlySet<string> = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])

/** The flags of the header that announce Exif and XMP. */
const ANNOUNCED = 0x08 | 0x04

export function stripWebp(bytes: Buffer): Buffer {
  const end = 8 + bytes.readUInt32LE(4)
  const kept: Buffer[] = []
  let at = 12
  while (at + 8 <= end) {
    const size = bytes.readUInt32LE(at + 4)
    const next = at + 8 + size + (size % 2)
    const chunk = part(bytes, at, next)
    const type = chunk.toString('latin1', 0, 4)
    at = next
    if (!KEPT.has(type) || (type === 'ICCP' && size > PROFILE_BYTES)) continue
    kept.push(type === 'VP8X' ? withoutAnnouncement(chunk) : chunk)
  }
  const body = Buffer.concat(kept)
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([head, body])
}

function withoutAnnouncement(header: Buffer): Buffer {
  const changed = Buffer.from(header)
  changed.writeUInt8(changed.readUInt8(8) & ~ANNOUNCED, 8)
  return changed
}
