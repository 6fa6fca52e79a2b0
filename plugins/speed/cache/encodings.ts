import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

export type Encoding = 'br' | 'zstd' | 'gzip' | 'identity'

/** The bodies of a page by encoding. */
export type Bodies = Readonly<Record<'identity', Buffer>> & Readonly<Partial<Record<Encoding, Buffer>>>

/** In order of preference if the client has none. */
const ENCODINGS: readonly Encoding[] = ['br', 'zstd', 'gzip', 'identity']

/**
 * Encodings that the client accepts, best first (RFC 9110, 12.5.3). Without the header only `identity`, since such
 * clients often cannot decode anything else. Empty if no available encoding is accepted.
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

/** Memoized results. Browsers send only a handful of different headers; the size is limited against others. */
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
  // Encodings that are not listed are not accepted, except `identity` unless it is excluded.
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ?? (encoding === 'identity' ? (others === 0 ? 0 : Number.MIN_VALUE) : (others ?? 0))
  return ENCODINGS.filter((encoding) => weightOf(encoding) > 0).sort((a, b) => weightOf(b) - weightOf(a))
}

/**
 * Compresses a page in all encodings, sequentially in zlib's threads so that other work is not blocked. Higher levels
 * hardly reduce the size: brotli 9 takes five times as long as 6 for 1% and seven times as much of the event loop, for
 * memory allocation.
 */
export async function compress(identity: Buffer): Promise<Bodies> {
  const br = await promisify(brotliCompress)(identity, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 6,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
    },
  })
  // Without a size, zstd prepares for any size, which takes a hundred times as long.
  const pledgedSrcSize = identity.length
  const params = { [constants.ZSTD_c_compressionLevel]: 6 }
  const zstd = await promisify(zstdCompress)(identity, { pledgedSrcSize, params })
  const gzipped = await promisify(gzip)(identity, { level: 6 })
  return { identity, br: trimmed(br), zstd: trimmed(zstd), gzip: trimmed(gzipped) }
}

/**
 * Copies the bytes to a separate buffer. Node and zlib return slices of larger buffers, which would stay in memory
 * uncounted as long as the slice is cached.
 */
export function trimmed(part: Buffer): Buffer {
  const whole = Buffer.allocUnsafeSlow(part.length)
  part.copy(whole)
  return whole
}
