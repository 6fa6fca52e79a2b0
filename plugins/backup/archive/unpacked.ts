import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, createZstdDecompress } from 'node:zlib'
import type { Compression } from '../types.ts'
import { decompressMember } from './compress.ts'
import { ArchiveError, corrupt } from './errors.ts'
import type { StoredMember } from './format.ts'

/** The tar bytes of members that follow each other, each checked against its sum and never longer than it says. */
export async function* unpackMembers(
  path: string,
  compression: Compression,
  members: readonly StoredMember[],
): AsyncGenerator<Buffer> {
  const file = await open(path)
  try {
    for (const { at, bytes, tarBytes, sha256 } of members) {
      const packed = Buffer.alloc(bytes)
      const { bytesRead } = await file.read(packed, 0, bytes, at)
      const sum = createHash('sha256').update(packed).digest('hex')
      const tar = bytesRead === bytes && sum === sha256 ? decompressMember(packed, compression, tarBytes) : undefined
      if (!tar) throw corrupt('The archive is damaged: a part of it is not what was written.')
      if (tar.length > 0) yield tar
    }
  } finally {
    await file.close()
  }
}

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
  range: { readonly at: number; readonly bytes: number },
  limit: number,
): AsyncGenerator<Buffer> {
  const unpack =
    compression === 'gzip'
      ? createGunzip({ chunkSize: 256 * 1024 })
      : createZstdDecompress({ chunkSize: 256 * 1024, params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW } })
  const packed = createReadStream(path, { start: range.at, end: range.at + range.bytes - 1, highWaterMark: 256 * 1024 })
  const feeding = pipeline(packed, unpack).catch(() => {})
  let total = 0
  try {
    for await (const chunk of unpack) {
      total += chunk.length
      if (total > limit) {
        throw new ArchiveError(
          'archive_too_large',
          'The archive unpacks to far more than its size or the free space allow.',
        )
      }
      yield chunk
    }
    await feeding
  } catch (error) {
    throw error instanceof ArchiveError
      ? error
      : corrupt('The archive is damaged, cut off or followed by something else.')
  } finally {
    packed.destroy()
    unpack.destroy()
  }
  if (unpack.bytesWritten !== range.bytes) throw corrupt('The archive is followed by something else.')
}
