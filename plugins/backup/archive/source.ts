import { createReadStream } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The bytes of a local or remote archive. */
export interface ArchiveSource {
  readonly size: number
  /** Path of a local archive, which is read in place. */
  readonly path?: string
  /** `start` and `end` are inclusive, as in a range request. */
  read(start: number, end: number): Promise<AsyncIterable<Buffer>> | AsyncIterable<Buffer>
}

/** A local archive. */
export async function fileSource(path: string): Promise<ArchiveSource> {
  const { size } = await stat(path)
  return { size, path, read: (start, end) => createReadStream(path, { start, end }) }
}

/** A sparse local file with the parts of an archive that were fetched so far. */
export interface LocalCopy {
  readonly path: string
  /** Fetches a range if it is missing. May be called concurrently. */
  need(at: number, bytes: number): Promise<void>
}

/** Fetches a remote archive range by range into a sparse file. A local archive is used in place. */
export function createLocalCopy(source: ArchiveSource, path: string): LocalCopy {
  if (source.path !== undefined) return { path: source.path, need: async () => {} }
  const fetched = new Map<string, Promise<void>>()
  const fetch = async (at: number, bytes: number) => {
    await mkdir(dirname(path), { recursive: true })
    const file = await open(path, 'a').then(async (made) => {
      await made.close()
      return open(path, 'r+')
    })
    try {
      let position = at
      for await (const chunk of await source.read(at, at + bytes - 1)) {
        await file.writev([chunk], position)
        position += chunk.length
      }
      if (position !== at + bytes) throw new Error('The location sent fewer bytes than requested.')
    } finally {
      await file.close()
    }
  }
  return {
    path,
    async need(at, bytes) {
      if (bytes === 0) return
      const key = `${at}-${bytes}`
      const running = fetched.get(key) ?? fetch(at, bytes)
      fetched.set(key, running)
      try {
        await running
      } catch (error) {
        fetched.delete(key)
        throw error
      }
    },
  }
}
