import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'

/** Makes a rename in the folder survive a power cut. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Puts a file in place so that after a crash there is all of it or nothing, for its owner's eyes only. It grows under a
 * name of its own: a process that was paused while it wrote must not go on in a file that another one has put in place.
 *
 * @param fill - Writes all of it to the path that it gets, where nothing is yet.
 */
export async function writeWhole(path: string, fill: (part: string) => Promise<unknown>): Promise<void> {
  const part = `${path}.${randomBytes(6).toString('hex')}.part`
  try {
    await fill(part)
    const file = await open(part, 'r+')
    try {
      await file.chmod(0o600)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
