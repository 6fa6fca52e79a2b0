import { hash } from 'node:crypto'
import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, createZstdDecompress } from 'node:zlib'
import type { Compression } from '../types.ts'
import { createArena } from './arena.ts'
import { decompressMember } from './compress.ts'
import { ArchiveError, corrupt } from './errors.ts'
import { SEGMENT_BYTES, type StoredMember } from './format.ts'
import { release } from './free-buffers.ts'

/** A thread reads one unit at a time: memory for one incompressible segment. */
const arena = createArena(SEGMENT_BYTES + 128 * 1024)

/**
 * The tar bytes of consecutive members, each verified against its checksum and declared length. Each buffer is valid
 * until the next is requested.
 */
export function* unpackMembers(
  path: string,
  compression: Compression,
  members: readonly StoredMember[],
): Generator<Buffer> {
  const file = openSync(path, 'r')
  try {
    for (const { at, bytes, tarBytes, sha256 } of members) {
      arena.reset()
      const packed = arena.take(bytes)
      const isIntact = readSync(file, packed, 0, bytes, at) === bytes && hash('sha256', packed) === sha256
      const tar = isIntact ? decompressMember(packed, compression, tarBytes) : undefined
      if (!tar) throw corrupt('The archive is damaged: the checksum of a segment does not match.')
      if (tar.length > 0) yield tar
      release(tar)
    }
  } finally {
    closeSync(file)
  }
}

/** Chunk size between threads, in bytes. On a busy machine each handover has to wait. */
const STEP = 1024 * 1024

/** Default window limit of zstd and its command-line tool: 2^27 bytes. */
const ZSTD_WINDOW = 27

/**
 * Decompresses a range of a file, in any layout of members or frames, up to `limit` bytes.
 *
 * @throws ArchiveError if it is truncated, followed by other data, or exceeds the limit
 */
export async function* unpackRange(
  path: string,
  compression: Compression,
  { at, bytes }: { readonly at: number; readonly bytes: number },
  limit: number,
): AsyncGenerator<Buffer> {
  let total = 0
  // Node's stream may stop after a zstd frame even though another follows (seen with Node 24.21): continue where it
  // stopped.
  for (let position = at; position < at + bytes; ) {
    const unpack =
      compression === 'gzip'
        ? createGunzip({ chunkSize: STEP })
        : createZstdDecompress({ chunkSize: STEP, params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW } })
    const packed = createReadStream(path, { start: position, end: at + bytes - 1, highWaterMark: STEP })
    const feeding = pipeline(packed, unpack).catch(() => {})
    try {
      for await (const chunk of unpack) {
        total += chunk.length
        if (total > limit) {
          const message = 'The extracted archive exceeds the size limit or the free disk space.'
          throw new ArchiveError('archive_too_large', message)
        }
        yield chunk
      }
    } catch (error) {
      if (error instanceof ArchiveError) throw error
      throw corrupt('The archive is damaged, truncated, or followed by other data.')
    } finally {
      packed.destroy()
      unpack.destroy()
    }
    await feeding
    if (unpack.bytesWritten === 0) throw corrupt('The archive is truncated.')
    position += unpack.bytesWritten
  }
}
