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

/** A thread reads one unit at a time: room for a packed segment that nothing made smaller. */
const arena = createArena(SEGMENT_BYTES + 128 * 1024)

/**
 * The tar bytes of members that follow each other, each checked against its sum and never longer than it says. They
 * are good until the next are asked for.
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
      if (!tar) throw corrupt('The archive is damaged: a part of it is not what was written.')
      if (tar.length > 0) yield tar
      release(tar)
    }
  } finally {
    closeSync(file)
  }
}

/** Bytes that go from thread to thread at once: on a busy machine each time waits for its turn. */
const STEP = 1024 * 1024

/** zstd's own limit for the memory of a frame, which its command keeps too: 2^27 bytes. */
const ZSTD_WINDOW = 27

/**
 * What a range of a file unpacks to, members and frames in any form. `limit` is how many bytes it may be.
 *
 * @throws ArchiveError if it is cut off, followed by something else, or longer than the limit
 */
export async function* unpackRange(
  path: string,
  compression: Compression,
  { at, bytes }: { readonly at: number; readonly bytes: number },
  limit: number,
): AsyncGenerator<Buffer> {
  let total = 0
  // Node's stream may stop behind a zstd frame though another follows (seen with Node 24.21): go on where it stopped.
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
          const message = 'The archive unpacks to far more than its size or the free space allow.'
          throw new ArchiveError('archive_too_large', message)
        }
        yield chunk
      }
    } catch (error) {
      if (error instanceof ArchiveError) throw error
      throw corrupt('The archive is damaged, cut off or followed by something else.')
    } finally {
      packed.destroy()
      unpack.destroy()
    }
    await feeding
    if (unpack.bytesWritten === 0) throw corrupt('The archive is cut off.')
    position += unpack.bytesWritten
  }
}
