import type { StoredEntry } from '../archive/format.ts'

/** How many files of an archive lie within its first so many bytes of content; to be asked with growing numbers. */
export interface FileCount {
  upTo(bytes: number): Promise<number>
}

/** @param entries - In the order in which they are read; no more of them is taken than was asked for. */
export function countFiles(entries: AsyncIterator<StoredEntry>): FileCount {
  let files = 0
  let passed = 0
  let next: IteratorResult<StoredEntry, unknown> | undefined
  return {
    async upTo(bytes) {
      for (;;) {
        next ??= await entries.next()
        if (next.done || passed + next.value.size > bytes) return files
        passed += next.value.size
        if (next.value.type === 'file') files += 1
        next = undefined
      }
    },
  }
}
