import { randomBytes } from 'node:crypto'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Path length in bytes from which folders are moved up; operating systems allow 4095. */
const LONG = 2000

/** Flushes a file to disk. */
export async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Removes a folder; harmless if it does not exist. Also handles paths that became too long by moving. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    const isTooLong = error instanceof Error && 'code' in error && error.code === 'ENAMETOOLONG'
    if (!isTooLong || !(await flatten(path, path))) throw error
    await removeTree(path)
  }
}

/** Moves deep folders to the top level. @returns whether there were any */
async function flatten(top: string, folder: string): Promise<boolean> {
  let moved = false
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const path = join(folder, entry.name)
    if (Buffer.byteLength(path) > LONG && folder !== top) {
      await rename(path, join(top, randomBytes(8).toString('hex')))
      moved = true
    } else if (await flatten(top, path)) moved = true
  }
  return moved
}
