import { closeSync, fchmodSync, futimesSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { StoredEntry } from './format.ts'

/** A file being unpacked. */
export interface UnpackedFile {
  write(chunk: Buffer): void
  /** Restores its modification time and permissions. */
  finish(): void
  close(): void
}

export interface FileWriter {
  open(entry: Pick<StoredEntry, 'name' | 'mode' | 'mtimeMs'>): UnpackedFile
}

/**
 * Writes files below an initially empty folder. Never writes through a link: links are created after all files, and
 * existing names are not opened. Synchronous: runs in its own thread.
 */
export function createFileWriter(folder: string): FileWriter {
  const made = new Set<string>()
  return {
    open({ name, mode, mtimeMs }) {
      const path = join(folder, name)
      const parent = dirname(path)
      if (!made.has(parent)) {
        mkdirSync(parent, { recursive: true, mode: 0o700 })
        made.add(parent)
      }
      const file = openSync(path, 'wx', 0o600)
      return {
        write(chunk) {
          for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at)
        },
        finish() {
          fchmodSync(file, mode & 0o777)
          futimesSync(file, mtimeMs / 1000, mtimeMs / 1000)
        },
        close: () => closeSync(file),
      }
    },
  }
}
