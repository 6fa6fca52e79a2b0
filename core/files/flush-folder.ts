import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'

// Windows cannot open folders, and journals renames anyway.
const NEEDS_FLUSH = process.platform !== 'win32'

/** Flushes a folder to disk, so that renames and new files in it survive a power failure (fsync(2)). */
export async function flushFolder(folder: string): Promise<void> {
  if (!NEEDS_FLUSH) return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Like {@link flushFolder}, but synchronous. */
export function flushFolderSync(folder: string): void {
  if (!NEEDS_FLUSH) return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
