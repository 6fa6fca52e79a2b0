import { constants, deflateRawSync, gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Compression } from '../types.ts'

/** Measured with `bench/backup.ts`: levels above cost time and save next to nothing on what sites hold. */
const GZIP_LEVEL = 6
const ZSTD_LEVEL = 3

/** The output gets its memory in one piece: what cannot be compressed grows by less than this. */
const SPARE = 64 * 1024

/** A closed gzip member or zstd frame. Made in a thread: it takes about 0.1 s for a segment. */
export function compress(bytes: Buffer, compression: Compression): Buffer {
  const chunkSize = bytes.length + SPARE
  if (compression === 'zstd') {
    const params = { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL, [constants.ZSTD_c_checksumFlag]: 1 }
    return zstdCompressSync(bytes, { params, chunkSize })
  }
  return gzipSync(bytes, { level: isDense(bytes) ? 0 : GZIP_LEVEL, chunkSize })
}

/**
 * What one member or frame unpacks to, `length` bytes and not one more; `undefined` if the bytes are anything else.
 */
export function decompressMember(bytes: Buffer, compression: Compression, length: number): Buffer | undefined {
  const options = { maxOutputLength: Math.max(length, 1), chunkSize: length + SPARE }
  try {
    const unpacked = compression === 'gzip' ? gunzipSync(bytes, options) : zstdDecompressSync(bytes, options)
    return unpacked.length === length ? unpacked : undefined
  } catch {
    return undefined
  }
}

/** Whether deflate finds nothing to save in samples of the bytes: images, videos, archives. They are stored then. */
function isDense(bytes: Buffer): boolean {
  const sample = 8 * 1024
  const samples = Array.from({ length: 8 }, (_, index) => Math.floor((bytes.length * index) / 8))
  if (bytes.length < 8 * sample) return false
  const packed = samples.map((at) => deflateRawSync(bytes.subarray(at, at + sample), { level: 1 }).length)
  return packed.reduce((sum, size) => sum + size, 0) > 0.98 * 8 * sample
}
