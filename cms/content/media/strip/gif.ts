import { part } from './part.ts'

const IMAGE = 0x2c
const EXTENSION = 0x21
const TRAILER = 0x3b
const GRAPHIC_CONTROL = 0xf9
const APPLICATION = 0xff
/** Bytes of an application's block up to the end of its first three bytes of data. */
const REPETITION = 18

/** Keeps frames, timing and loop count (GIF89a; `NETSCAPE2.0`); removes comments, texts and data of other applications. */
export function stripGif(bytes: Buffer): Buffer {
  const screen = 13 + colorTable(bytes.readUInt8(10))
  const kept: Buffer[] = [part(bytes, 0, screen)]
  let at = screen
  // Many programs omit the trailer.
  while (at < bytes.length && bytes.readUInt8(at) !== TRAILER) {
    const end = endOfBlock(bytes, at)
    if (isRepetition(bytes, at)) kept.push(part(bytes, at, at + REPETITION), Buffer.from([0]))
    else if (isPicture(bytes, at)) kept.push(part(bytes, at, end))
    at = end
  }
  kept.push(Buffer.from([TRAILER]))
  return Buffer.concat(kept)
}

const colorTable = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

function endOfBlock(bytes: Buffer, at: number): number {
  const kind = bytes.readUInt8(at)
  if (kind === EXTENSION) return endOfData(bytes, at + 2)
  if (kind === IMAGE) return endOfData(bytes, at + 10 + colorTable(bytes.readUInt8(at + 9)) + 1)
  throw new RangeError('There is no block where one must be.')
}

/** Data is in blocks of up to 255 bytes; an empty block ends it. */
function endOfData(bytes: Buffer, from: number): number {
  let at = from
  for (let size = bytes.readUInt8(at); size > 0; size = bytes.readUInt8(at)) at += size + 1
  return at + 1
}

function isPicture(bytes: Buffer, at: number): boolean {
  return bytes.readUInt8(at) === IMAGE || bytes.readUInt8(at + 1) === GRAPHIC_CONTROL
}

/** The number of repetitions; any further data is meaningless. */
function isRepetition(bytes: Buffer, at: number): boolean {
  if (bytes.readUInt8(at) !== EXTENSION || bytes.readUInt8(at + 1) !== APPLICATION) return false
  return bytes.toString('latin1', at + 3, at + 14) === 'NETSCAPE2.0' && bytes.readUInt8(at + 14) === 3
}
