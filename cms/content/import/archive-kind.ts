import { open } from 'node:fs/promises'

/** Bytes from the start of a file that tell which archive it is. */
const KIND_BYTES = 262

/** Which archive a file is, by its first bytes; `undefined` for none. A tar archive is one of POSIX: `ustar` at 257. */
export function archiveKind(start: Buffer): 'gzip' | 'zip' | 'tar' | undefined {
  if (start[0] === 0x1f && start[1] === 0x8b) return 'gzip'
  if (start.toString('latin1', 0, 4) === 'PK\x03\x04') return 'zip'
  return start.toString('latin1', 257, KIND_BYTES) === 'ustar' ? 'tar' : undefined
}

/** What `archiveKind` needs of a file; zeros where it is shorter. */
export async function startOf(path: string): Promise<Buffer> {
  await using file = await open(path)
  return (await file.read(Buffer.alloc(KIND_BYTES), 0, KIND_BYTES, 0)).buffer
}
