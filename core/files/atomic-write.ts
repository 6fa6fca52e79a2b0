import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

export interface AtomicWriteOptions {
  /** Permissions of the file; 0o600, its owner's alone, unless told. */
  readonly mode?: number
  /** Whether the content is on the disk before it gets its name, so that also a power cut leaves all of it or nothing. */
  readonly flush?: boolean
}

/**
 * Puts a file in place as a whole: whoever reads it finds the old one or the new one, never a part, also after
 * `kill -9`. It grows under a name of its own: a process that was paused while it wrote must not go on in a file that
 * another one has put in place.
 *
 * To have the name survive a power cut too, `flushFolder`.
 *
 * @param content the content, or work that writes it to the path that it gets, where nothing is yet
 * @throws the error of the write; the old file stays then
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array | ((path: string) => Promise<unknown>),
  { mode = 0o600, flush = false }: AtomicWriteOptions = {},
): Promise<void> {
  // The dot keeps it from visitors where the folder is a public one.
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`)
  try {
    const isWritten = typeof content === 'function'
    if (isWritten) await content(temporary)
    const file = await open(temporary, isWritten ? 'r+' : 'wx', mode)
    try {
      if (isWritten) await file.chmod(mode)
      else await file.writeFile(content)
      if (flush) await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    // Where the clean-up fails too, the first error is the one to tell.
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
}
