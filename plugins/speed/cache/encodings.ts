import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

export type Encoding = 'br' | 'zstd' | 'gzip' | 'identity'

/** A page in every encoding that it is kept in. */
export type Bodies = Readonly<Record<'identity', Buffer>> & Readonly<Partial<Record<Encoding, Buffer>>>

/** In the order in which they are chosen where the client does not mind. */
const ENCODINGS: readonly Encoding[] = ['br', 'zstd', 'gzip', 'identity']

/**
 * Encodings that the client accepts, best first (RFC 9110, 12.5.3). Without a header it is `identity`: whoever says
 * nothing is often not able to decode. Empty if it accepts none of ours.
 */
export function acceptedEncodings(header: string | undefined): readonly Encoding[] {
  if (header === undefined) return ['identity']
  const known = memory.get(header)
  if (known) return known
  const accepted = negotiate(header)
  if (header.length <= MAX_REMEMBERED) {
    if (memory.size >= MAX_HEADERS) memory.clear()
    memory.set(header, accepted)
  }
  return accepted
}

/** Browsers send a handful of different headers; anybody may send others. */
const memory = new Map<string, readonly Encoding[]>()
const MAX_HEADERS = 200
const MAX_REMEMBERED = 200

function negotiate(header: string): readonly Encoding[] {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [, name = '', weight = '1'] = /^\s*([\w*-]+)\s*(?:;\s*q\s*=\s*([\d.]+)\s*)?$/.exec(part) ?? []
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, Math.min(Number(weight) || 0, 1))
  }
  const others = weights.get('*')
  // What is not named is not accepted, but `identity` is unless it is refused.
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ?? (encoding === 'identity' ? (others === 0 ? 0 : Number.MIN_VALUE) : (others ?? 0))
  return ENCODINGS.filter((encoding) => weightOf(encoding) > 0).sort((a, b) => weightOf(b) - weightOf(a))
}

/**
 * A page in all encodings; in zlib's threads, one after the other, so that others get a turn. The levels are those after
 * which a page hardly gets smaller but takes many times as long: brotli 9 takes five times the time of 6 for a hundredth
 * of the size, and seven times as much of the event loop, for its memory.
 */
export async function compress(identity: Buffer): Promise<Bodies> {
  const br = await promisify(brotliCompress)(identity, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 6,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
    },
  })
  // Without its size zstd prepares for any size, which takes a hundred times as long.
  const pledgedSrcSize = identity.length
  const params = { [constants.ZSTD_c_compressionLevel]: 6 }
  const zstd = await promisify(zstdCompress)(identity, { pledgedSrcSize, params })
  const gzipped = await promisify(gzip)(identity, { level: 6 })
  return { identity, br: trimmed(br), zstd: trimmed(zstd), gzip: trimmed(gzipped) }
}

/**
 * The bytes in a buffer of their own. Node and zlib answer parts of larger ones, all of which would stay in memory with
 * what is kept, and be counted by nobody.
 */
export function trimmed(part: Buffer): Buffer {
  const whole = Buffer.allocUnsafeSlow(part.length)
  part.copy(whole)
  return whole
}
