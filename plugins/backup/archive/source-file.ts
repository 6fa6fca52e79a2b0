import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { Arena } from './arena.ts'

/** What was read of a file of the site, and what was odd about it. */
export interface SourceRead {
  readonly content: Buffer
  /** Size of the whole file when it was opened. */
  readonly size: number
  readonly mode: number
  readonly mtimeMs: number
  /** Tells a file that was replaced under the same name. */
  readonly identity: string
  readonly warning: string | undefined
}

/**
 * Reads `[start, end)` of a file of the site while somebody may be writing to it. `end` is cut to the size at opening;
 * what has gone by then is filled with zeros, so that the size stays what the header of the tar says. Resolves to
 * why it cannot be read, if it cannot: that is a warning, never a failure. The content lies in the arena.
 *
 * A link is not followed, and a pipe that took the file's place is not waited for.
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
    if (!before.isFile()) return { unreadable: 'it is no longer a file' }
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
          ? 'It was cut while it was read; what is missing was filled with zeros.'
          : changed
            ? 'It changed while it was read.'
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
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'it is gone'
  if (code === 'EACCES' || code === 'EPERM') return 'it may not be read'
  if (code === 'ELOOP') return 'it became a link'
  if (code === 'ENXIO') return 'it is no longer a file'
  return `it cannot be read (${String(code ?? 'unknown')})`
}
