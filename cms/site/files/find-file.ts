import { type FileHandle, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { splitPath } from '../../content/permalinks/path.ts'
import { openRegularFile } from './regular-file.ts'

/** An open file; the caller closes it. */
export interface FoundFile {
  readonly handle: FileHandle
  /** Absolute, without symbolic links. */
  readonly path: string
  readonly size: number
  readonly changed: Date
}

/** `ETag` from modification time and size. */
export function etagOf(file: FoundFile): string {
  return `"${file.size.toString(16)}-${Math.round(file.changed.getTime()).toString(16)}"`
}

/**
 * The decoded path below a prefix, or `undefined` for paths that cannot be files: dotfiles, encoded slashes,
 * backslashes, control characters, invalid encoding.
 */
export function pathBelow(prefix: string, path: string): string | undefined {
  const below = path.slice(prefix.length)
  const parts = path.startsWith(prefix) ? splitPath(below) : undefined
  if (!parts || parts.length === 0 || parts.some((part) => part.startsWith('.'))) return undefined
  return below.endsWith('/') || below.includes('//') ? undefined : parts.join('/')
}

/**
 * Opens a regular file below a folder. Symbolic links are followed as long as they stay inside. @param path from
 * `pathBelow`
 */
export async function findFile(folder: string, path: string): Promise<FoundFile | undefined> {
  const [root, real] = await Promise.all([realpath(folder), realpath(join(folder, path))]).catch(() => [])
  if (!root || !real?.startsWith(root + sep)) return undefined
  const opened = await openRegularFile(real).catch(() => undefined)
  return opened && { handle: opened.handle, path: real, size: opened.stats.size, changed: opened.stats.mtime }
}
