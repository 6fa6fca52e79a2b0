import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

export interface AtomicWriteOptions {
  /** Permissions of the file; default 0o600 (owner only). */
  readonly mode?: number
  /** Whether to flush the content before the rename, so that a power failure leaves either the complete file or none. */
  readonly flush?: boolean
  /** Called with the temporary file immediately before the rename; if it throws, the old file is unchanged. */
  readonly written?: (file: FileHandle) => Promise<void>
}

/**
 * Replaces a file atomically: readers see the old or the new file, never a part, even if the process is killed. The temporary file has a
 * unique name, so that a process that was suspended while writing cannot modify a file that another one has completed.
 *
 * Call `flushFolder` to make the rename survive a power failure too.
 *
 * @param content the content, or a function that writes it to the given path, which does not exist yet
 * @throws the error of the write; the old file is unchanged then
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array | ((path: string) => Promise<unknown>),
  { mode = 0o600, flush = false, written }: AtomicWriteOptions = {},
): Promise<void> {
  // Names with a leading dot are not served from public folders.
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`)
  try {
    const isWritten = typeof content === 'function'
    if (isWritten) await content(temporary)
    const file = await open(temporary, isWritten ? 'r+' : 'wx', mode)
    try {
      if (isWritten) await file.chmod(mode)
      else await file.writeFile(content)
      if (flush) await file.sync()
      await written?.(file)
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    // If the cleanup fails too, the first error is the one to report.
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
}
