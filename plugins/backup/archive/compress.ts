import { constants, deflateRawSync, gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Compression } from '../types.ts'

/** Measured with `bench/backup.ts`: higher levels cost time and save almost nothing on typical site content. */
const GZIP_LEVEL = 6
const ZSTD_LEVEL = 3

/** Headroom for incompressible input, in bytes, so that the output buffer is allocated once. */
const SPARE = 64 * 1024

/** Compresses into one complete gzip member or zstd frame. Runs in a thread: about 0.1 s per segment. */
export function compress(bytes: Buffer, compression: Compression): Buffer {
  const chunkSize = bytes.length + SPARE
  if (compression === 'zstd') {
    const params = { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL, [constants.ZSTD_c_checksumFlag]: 1 }
    return zstdCompressSync(bytes, { params, chunkSize })
  }
  return gzipSync(bytes, { level: isDense(bytes) ? 0 : GZIP_LEVEL, chunkSize })
}

/**
 * Decompresses one member or frame of exactly `length` bytes; `undefined` if it is damaged or has another length.
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

/**
 * Whether samples of the bytes are incompressible, as in images, videos and archives. Such content is stored
 * uncompressed.
 */
function isDense(bytes: Buffer): boolean {
  const sample = 8 * 1024
  const samples = Array.from({ length: 8 }, (_, index) => Math.floor((bytes.length * index) / 8))
  if (bytes.length < 8 * sample) return false
  const packed = samples.map((at) => deflateRawSync(bytes.subarray(at, at + sample), { level: 1 }).length)
  return packed.reduce((sum, size) => sum + size, 0) > 0.98 * 8 * sample
}
