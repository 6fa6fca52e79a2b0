import type { StoredEntry } from '../archive/format.ts'

/** Counts the files within the first content bytes of an archive. Call it with increasing numbers. */
export interface FileCount {
  upTo(bytes: number): Promise<number>
}

/** @param entries - In reading order; consumed lazily. */
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
