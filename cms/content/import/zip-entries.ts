import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { WxrError } from './wxr-error.ts'

/** A file in a zip archive (PKWARE's APPNOTE, sections 4.3 and 4.4). */
export interface ZipEntry {
  readonly name: string
  readonly isCompressed: boolean
  /** Whether it is a symbolic link; its content is the target. */
  readonly isLink: boolean
  /** Offset and length of its data in the archive. */
  readonly start: number
  readonly packed: number
  /** CRC-32 of what it unpacks to. */
  readonly checksum: number
}

/** The directory's end is followed by a comment of this length at most. */
const END = 22
const LONGEST_COMMENT = 0xffff
/** Marks a value of the directory as stored in the ZIP64 extension, for archives of more than 4 GB. */
const ELSEWHERE = 0xffffffff

/**
 * The files of a zip archive by its directory.
 * @param limits - How many files it may hold, and bytes of its directory.
 * @throws WxrError for one that is damaged, encrypted, or too large
 */
export async function zipEntries(
  path: string,
  limits: { readonly entries: number; readonly directory: number },
): Promise<ZipEntry[]> {
  await using file = await open(path)
  const { size } = await file.stat()
  const tail = await readAt(file, Math.max(0, size - END - LONGEST_COMMENT), Math.min(size, END + LONGEST_COMMENT))
  const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0 || end + END > tail.length) throw damaged()
  const [count, length, from] = [tail.readUInt16LE(end + 10), tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)]
  if (count > limits.entries || length > limits.directory || from === ELSEWHERE)
    throw new WxrError('contains too many files. Extract it, then import the files', 0)
  const directory = await readAt(file, from, length)
  const entries: ZipEntry[] = []
  for (let at = 0, index = 0; index < count; index++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50) throw damaged()
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field))
    const name = directory.toString('utf8', at + 46, at + 46 + (nameLength ?? 0))
    entries.push(await readEntry(file, directory.subarray(at), name))
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return entries
}

async function readEntry(file: FileHandle, header: Buffer, name: string): Promise<ZipEntry> {
  const [flags, method, checksum] = [header.readUInt16LE(8), header.readUInt16LE(10), header.readUInt32LE(16)]
  const [packed, unpacked, offset] = [header.readUInt32LE(20), header.readUInt32LE(24), header.readUInt32LE(42)]
  if ((flags & 1) === 1) throw new WxrError('is an encrypted archive. Extract it, then import the files', 0)
  if (method !== 0 && method !== 8)
    throw new WxrError('uses an unsupported compression method. Extract it, then import the files', 0)
  if ([packed, unpacked, offset].includes(ELSEWHERE))
    throw new WxrError('is an archive larger than 4 GB. Extract it, then import the files', 0)
  const local = await readAt(file, offset, 30)
  if (local.readUInt32LE(0) !== 0x04034b50) throw damaged()
  const start = offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
  // The upper half of the external attributes is the mode of Unix.
  const isLink = (header.readUInt16LE(40) & constants.S_IFMT) === constants.S_IFLNK
  return { name, isCompressed: method === 8, isLink, start, packed, checksum }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead < length) throw damaged()
  return buffer
}

export function damaged(): WxrError {
  return new WxrError('is damaged and cannot be extracted', 0)
}
