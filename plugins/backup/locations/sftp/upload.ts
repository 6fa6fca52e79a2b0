import { z } from 'zod'
import type { UploadedFile, UploadProgress } from '../../types.ts'
import { PARTIAL, readPart } from '../archive-file.ts'
import { LocationFailure } from '../failure.ts'
import type { SftpConnection } from './connection.ts'
import { openRemote } from './file.ts'

/** Block size in bytes; a crash loses at most one block. */
const BLOCK_BYTES = 4 * 1024 * 1024
/** Bytes at the end of the partial file that are compared with the archive before resuming. */
const COMPARED_BYTES = 1024 * 1024

/** State that survives a crash: the number of bytes that the server has confirmed. */
const stateSchema = z.object({ sha256: z.string(), confirmed: z.int().nonnegative() })

/** Uploads the archive under a temporary name, resuming a partial upload, and renames it once it is complete. */
export async function uploadFile(
  { client, requests }: SftpConnection,
  target: string,
  file: UploadedFile,
  progress: UploadProgress,
  advanced: () => void,
): Promise<void> {
  // An earlier attempt may have renamed it and crashed before recording that.
  if ((await sizeOf(client, target)) === file.size) return
  const partial = target + PARTIAL
  let position = await resumePosition({ client, requests }, partial, file, progress.state)
  progress.sent(position)

  const remote = await openRemote(requests, partial, position === 0 ? 'w' : 'r+')
  while (position < file.size) {
    progress.signal.throwIfAborted()
    const block = await readPart(file.path, position, Math.min(BLOCK_BYTES, file.size - position))
    await remote.write(block, position)
    position += block.length
    await progress.keep({ sha256: file.sha256, confirmed: position })
    progress.sent(position)
    advanced()
  }
  await remote.sync()
  await remote.close()

  const size = await sizeOf(client, partial)
  if (size !== file.size) {
    throw new LocationFailure({ reason: `The server stored only ${size ?? 0} of ${file.size} bytes.`, temporary: true })
  }
  // Renaming does not overwrite in version 3 of the protocol. An existing file is not a complete archive.
  await client.delete(target, true)
  await client.rename(partial, target)
}

async function resumePosition(
  { client, requests }: SftpConnection,
  partial: string,
  file: UploadedFile,
  kept: unknown,
): Promise<number> {
  const { data: state } = stateSchema.safeParse(kept)
  const there = state?.sha256 === file.sha256 ? await sizeOf(client, partial) : undefined
  if (!state || there === undefined || there > file.size) return 0
  const position = Math.min(state.confirmed, there, file.size)
  const length = Math.min(COMPARED_BYTES, position)
  if (length === 0) return 0
  const remote = await openRemote(requests, partial, 'r')
  const tail = await remote.read(position - length, length)
  await remote.close()
  return tail.equals(await readPart(file.path, position - length, length)) ? position : 0
}

async function sizeOf(client: SftpConnection['client'], path: string): Promise<number | undefined> {
  return (await client.exists(path)) ? (await client.stat(path)).size : undefined
}
