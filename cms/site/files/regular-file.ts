import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { basename } from 'node:path'

/** Non-blocking: opening a pipe would otherwise wait for a writer and occupy one of the few threads for file access. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK

/**
 * Opens a regular file; the caller closes the handle.
 * @throws Error if it cannot be opened, or is a folder, a pipe or a device
 */
export async function openRegularFile(path: string): Promise<{ handle: FileHandle; stats: Stats }> {
  const handle = await open(path, WITHOUT_WAITING)
  try {
    const stats = await handle.stat()
    check(path, stats)
    return { handle, stats }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** The text of a file that may be anything. @throws Error if it cannot be read, or is a folder, a pipe or a device */
export async function readRegularFile(path: string): Promise<string> {
  const { handle } = await openRegularFile(path)
  try {
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

/** Checks a file that other code will read. @throws Error if it is a folder, a pipe or a device; a missing file is accepted */
export async function assertRegularFile(path: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined)
  if (stats) check(path, stats)
}

function check(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new Error(`${basename(path)} is not a regular file.`)
}
