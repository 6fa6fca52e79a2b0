import { inflateSync } from 'node:zlib'
import { PROFILE_BYTES, part } from './part.ts'

/** Chunks of pictures and animations (PNG, third edition): no text, Exif, time or private chunks. */
const KEPT: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sRGB sBIT bKGD pHYs cICP mDCV cLLI acTL fcTL fdAT'.split(' '),
)

/** Bytes that a small chunk has at most (PNG, third edition, 11.3); in more of them something could be hidden. */
const SMALL: Readonly<Record<string, number>> = {
  ...{ cHRM: 32, gAMA: 4, sRGB: 1, sBIT: 4, bKGD: 6, pHYs: 9, cICP: 4, mDCV: 24, cLLI: 8, acTL: 8, fcTL: 26 },
}

export function stripPng(bytes: Buffer): Buffer {
  return chunksOf(bytes, (type, chunk) => {
    if (!KEPT.has(type) || chunk.length - 12 > (SMALL[type] ?? Number.POSITIVE_INFINITY)) return false
    return type !== 'iCCP' || isProfile(chunk)
  })
}

/** Without its text chunks, which can expand to any size when the image is read. */
export function withoutTexts(bytes: Buffer): Buffer {
  return chunksOf(bytes, (type) => type !== 'tEXt' && type !== 'zTXt' && type !== 'iTXt')
}

/** Up to the end of the image, which need not be the end of the file. */
function chunksOf(bytes: Buffer, isKept: (type: string, chunk: Buffer) => boolean): Buffer {
  const kept: Buffer[] = [part(bytes, 0, 8)]
  let at = 8
  for (;;) {
    const end = at + 12 + bytes.readUInt32BE(at)
    const chunk = part(bytes, at, end)
    const type = chunk.toString('latin1', 4, 8)
    if (isKept(type, chunk)) kept.push(chunk)
    if (type === 'IEND') return Buffer.concat(kept)
    at = end
  }
}

/** Whether a compressed color profile expands to a plausible size. */
function isProfile(chunk: Buffer): boolean {
  const name = chunk.indexOf(0, 8)
  if (name < 0 || name > 8 + 79) return false
  try {
    return inflateSync(chunk.subarray(name + 2, -4), { maxOutputLength: PROFILE_BYTES }).length >= 128
  } catch {
    return false
  }
}
