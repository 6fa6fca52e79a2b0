import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'

/** Below this many free bytes, uploads and backups soon fail, and SQLite can no longer commit. */
const LEAST_FREE = 64 * 1024 * 1024

/** The part of `statfs` that is checked: free blocks for unprivileged users, their size in bytes, and inodes. */
export type FileSystemFigures = Readonly<Record<'bavail' | 'bsize' | 'files' | 'ffree', number>>

/**
 * Why files can soon no longer be written, as a sentence; `null` if there is enough space.
 * A file system without a fixed number of inodes reports none (`files` is 0).
 */
export function describeShortage({ bavail, bsize, files, ffree }: FileSystemFigures): string | null {
  const free = bavail * bsize
  if (free < LEAST_FREE) {
    const megabytes = (bytes: number) => Math.floor(bytes / (1024 * 1024))
    return `The disk that contains the site folder has ${megabytes(free)} MB left; at least ${megabytes(LEAST_FREE)} MB are required.`
  }
  return files > 0 && ffree === 0 ? 'The disk that contains the site folder has no inodes left for more files.' : null
}

/** Why files cannot be written to the site folder, as a sentence; `null` if they can. Writes nothing. */
export async function findDiskProblem(siteDir: string): Promise<string | null> {
  try {
    await access(siteDir, constants.W_OK | constants.X_OK)
    return describeShortage(await statfs(siteDir))
  } catch (error) {
    return `The site folder is not writable: ${error instanceof Error ? error.message : error}`
  }
}
