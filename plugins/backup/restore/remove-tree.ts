import { randomBytes } from 'node:crypto'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes of a path below which folders stay where they are; systems take 4095. */
const LONG = 2000

/** Writes a file out to the disk. */
export async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Harmless if it is not there. What was put aside may have paths by now that are longer than systems take. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    const isTooLong = error instanceof Error && 'code' in error && error.code === 'ENAMETOOLONG'
    if (!isTooLong || !(await bringUp(path, path))) throw error
    await removeTree(path)
  }
}

/** Moves folders that lie deep right below the top. @returns whether there was one */
async function bringUp(top: string, folder: string): Promise<boolean> {
  let moved = false
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const path = join(folder, entry.name)
    if (Buffer.byteLength(path) > LONG && folder !== top) {
      await rename(path, join(top, randomBytes(8).toString('hex')))
      moved = true
    } else if (await bringUp(top, path)) moved = true
  }
  return moved
}
