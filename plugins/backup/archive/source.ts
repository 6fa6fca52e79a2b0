import { createReadStream } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The bytes of an archive, wherever it lies. */
export interface ArchiveSource {
  readonly size: number
  /** Of an archive on this machine, which is then read where it lies. */
  readonly path?: string
  /** Both ends inclusive, as in a range request. */
  read(start: number, end: number): Promise<AsyncIterable<Buffer>> | AsyncIterable<Buffer>
}

/** An archive on this machine. */
export async function fileSource(path: string): Promise<ArchiveSource> {
  const { size } = await stat(path)
  return { size, path, read: (start, end) => createReadStream(path, { start, end }) }
}

/** A file with the bytes of an archive at their places, as far as they were needed. */
export interface LocalCopy {
  readonly path: string
  /** Makes sure that these bytes are there. Several ranges may be asked for at once. */
  need(at: number, bytes: number): Promise<void>
}

/** An archive at a location is fetched range by range into a file with holes; one on this machine is its own copy. */
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
      if (position !== at + bytes) throw new Error('The location sent fewer bytes than it was asked for.')
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
