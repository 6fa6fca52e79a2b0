import { open } from 'node:fs/promises'

/** Number of leading bytes that identify the type of an archive. */
const KIND_BYTES = 262

/** The archive type of a file, from its first bytes; `undefined` if it is not an archive. Only POSIX tar archives are recognized: `ustar` at 257. */
export function archiveKind(start: Buffer): 'gzip' | 'zip' | 'tar' | undefined {
  if (start[0] === 0x1f && start[1] === 0x8b) return 'gzip'
  if (start.toString('latin1', 0, 4) === 'PK\x03\x04') return 'zip'
  return start.toString('latin1', 257, KIND_BYTES) === 'ustar' ? 'tar' : undefined
}

/** Reads the leading bytes for `archiveKind`; zero-padded if the file is shorter. */
export async function startOf(path: string): Promise<Buffer> {
  await using file = await open(path)
  return (await file.read(Buffer.alloc(KIND_BYTES), 0, KIND_BYTES, 0)).buffer
}
