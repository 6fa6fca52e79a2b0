import { inflateSync } from 'node:zlib'
import { PROFILE_BYTES, part } from './part.ts'

/** What a picture or an animation is made of (PNG, third edition): no text, no Exif, no time, nothing private. */
const KEPT: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sRGB sBIT bKGD pHYs cICP mDCV cLLI acTL fcTL fdAT'.split(' '),
)

export function stripPng(bytes: Buffer): Buffer {
  const kept: Buffer[] = [part(bytes, 0, 8)]
  let at = 8
  for (;;) {
    const end = at + 12 + bytes.readUInt32BE(at)
    const chunk = part(bytes, at, end)
    const type = chunk.toString('latin1', 4, 8)
    if (KEPT.has(type) && (type !== 'iCCP' || isProfile(chunk))) kept.push(chunk)
    if (type === 'IEND') return Buffer.concat(kept)
    at = end
  }
}

/** Whether a compressed colour profile unpacks to something of a profile's size. */
function isProfile(chunk: Buffer): boolean {
  const name = chunk.indexOf(0, 8)
  if (name < 0 || name > 8 + 79) return false
  try {
    return inflateSync(chunk.subarray(name + 2, -4), { maxOutputLength: PROFILE_BYTES }).length >= 128
  } catch {
    return false
  }
}
