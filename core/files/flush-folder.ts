import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'

// Windows has no way to open a folder, and its renames are journaled.
const NEEDS_FLUSH = process.platform !== 'win32'

/** Makes a rename or a new file in the folder survive a power cut (fsync(2)). */
export async function flushFolder(folder: string): Promise<void> {
  if (!NEEDS_FLUSH) return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** As {@link flushFolder}, where nothing else may happen meanwhile. */
export function flushFolderSync(folder: string): void {
  if (!NEEDS_FLUSH) return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
