import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { Arena } from './arena.ts'

/** Content read from a file of the site, with a warning if it changed meanwhile. */
export interface SourceRead {
  readonly content: Buffer
  /** Size of the file when it was opened. */
  readonly size: number
  readonly mode: number
  readonly mtimeMs: number
  /** Changes if the file is replaced under the same name. */
  readonly identity: string
  readonly warning: string | undefined
}

/**
 * Reads `[start, end)` of a file that may be written to at the same time. `end` is limited to the size at opening;
 * missing bytes are filled with zeros so that the size matches the tar header. Returns the reason if the file cannot be
 * read: a warning, never a failure. The content is in the arena.
 *
 * Does not follow links and does not block on a named pipe that replaced the file.
 */
export function readSource(
  path: string,
  [start, end]: readonly [number, number],
  arena: Arena,
): SourceRead | { readonly unreadable: string } {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    return { unreadable: reason(error) }
  }
  try {
    const before = fstatSync(file)
    if (!before.isFile()) return { unreadable: 'it is no longer a regular file' }
    const content = arena.take(Math.max(0, Math.min(end, before.size) - start))
    let filled = 0
    while (filled < content.length) {
      const read = readSync(file, content, filled, content.length - filled, start + filled)
      if (read === 0) break
      filled += read
    }
    content.fill(0, filled)
    const after = fstatSync(file)
    const changed = after.size !== before.size || after.mtimeMs !== before.mtimeMs
    return {
      content,
      size: before.size,
      mode: before.mode & 0o7777,
      mtimeMs: before.mtimeMs,
      identity: `${before.dev}:${before.ino}:${before.size}:${before.mtimeMs}`,
      warning:
        filled < content.length
          ? 'The file was truncated while it was being read; the missing part was filled with zeros.'
          : changed
            ? 'The file changed while it was being read.'
            : undefined,
    }
  } catch (error) {
    return { unreadable: reason(error) }
  } finally {
    closeSync(file)
  }
}

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'it no longer exists'
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied'
  if (code === 'ELOOP') return 'it was replaced by a link'
  if (code === 'ENXIO') return 'it is no longer a regular file'
  return `it cannot be read (${String(code ?? 'unknown')})`
}
