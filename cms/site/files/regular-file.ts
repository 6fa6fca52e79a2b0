import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { basename } from 'node:path'

/** As usual for a regular file. A pipe would wait for a writer, in one of the few threads that read all files. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK

/**
 * Opens a file that may be anything. Whoever gets the handle closes it.
 *
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

/** For what others read. @throws Error if it is a folder, a pipe or a device; what is not there passes */
export async function refuseOther(path: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined)
  if (stats) check(path, stats)
}

function check(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new Error(`${basename(path)} is not a regular file.`)
}
