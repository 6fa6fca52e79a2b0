import type { Compression } from '../types.ts'

/** Position and checksum of an archive's tail. */
export interface Trailer {
  /** Offset of the tail. */
  readonly at: number
  /** Compressed bytes. */
  readonly bytes: number
  /** SHA-256 of the compressed bytes, hexadecimal. */
  readonly sha256: string
}

const MAGIC = Buffer.from('PENTADx1')
const RECORD = MAGIC.length + 8 + 8 + 32

/** RFC 1952: an extra field with one subfield `Pt`, before an empty deflate stream. */
const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, RECORD + 4, 0, 0x50, 0x74, RECORD, 0])
const GZIP_END = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
/** RFC 8878, 3.1.2: a skippable frame. */
const ZSTD_HEAD = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, RECORD, 0, 0, 0])
const ZSTD_END = Buffer.alloc(0)

/** Size of the trailer in bytes. */
export function trailerBytes(compression: Compression): number {
  const [head, end] = around(compression)
  return head.length + RECORD + end.length
}

/** Encodes the trailer in a form that `gzip -t`, `zstd -t` and `tar` ignore. */
export function encodeTrailer(compression: Compression, { at, bytes, sha256 }: Trailer): Buffer {
  const [head, end] = around(compression)
  const places = Buffer.alloc(16)
  places.writeBigUInt64LE(BigInt(at), 0)
  places.writeBigUInt64LE(BigInt(bytes), 8)
  return Buffer.concat([head, MAGIC, places, Buffer.from(sha256, 'hex'), end])
}

/**
 * Reads the trailer from the last bytes of an archive; `undefined` if there is none, for example after repacking with
 * standard tools.
 */
export function decodeTrailer(compression: Compression, last: Buffer): Trailer | undefined {
  const [head, end] = around(compression)
  if (last.length !== trailerBytes(compression)) return undefined
  const record = last.subarray(head.length, head.length + RECORD)
  const same = last.subarray(0, head.length).equals(head) && last.subarray(head.length + RECORD).equals(end)
  if (!same || !record.subarray(0, MAGIC.length).equals(MAGIC)) return undefined
  return {
    at: Number(record.readBigUInt64LE(MAGIC.length)),
    bytes: Number(record.readBigUInt64LE(MAGIC.length + 8)),
    sha256: record.subarray(MAGIC.length + 16).toString('hex'),
  }
}

function around(compression: Compression): readonly [Buffer, Buffer] {
  return compression === 'gzip' ? [GZIP_HEAD, GZIP_END] : [ZSTD_HEAD, ZSTD_END]
}
