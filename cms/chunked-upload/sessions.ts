import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { createDurableFile } from '../../core/files/durable-file.ts'
import { namesIn } from '../files/names-in.ts'

/** Bytes of each chunk but the last. */
export const CHUNK = 8 * 1024 * 1024
/** Milliseconds that an upload may take. */
export const LIFETIME = 24 * 3600 * 1000
/** A file has at most this many bytes: 8 TiB, which is what a million chunks hold. */
export const MOST_CHUNKS = 1024 * 1024

const sessionSchema = z.object({
  fileName: z.string(),
  size: z.number().nullable(),
  sha256: z.string().nullable(),
  userId: z.number().nullable(),
  expires: z.string(),
  /** Number of chunks, once the last one is known. */
  total: z.number().nullable(),
  /** Whether the file was assembled and accepted. */
  isComplete: z.boolean().default(false),
})

/** An upload that has begun. */
export type UploadSession = z.output<typeof sessionSchema>

/** Uploads in progress: a folder for each in `<site>/tmp/`, with a file for each chunk. */
export interface UploadSessions {
  put(id: string, session: UploadSession): Promise<void>
  /** `undefined` if there is none, or it has expired. */
  get(id: string): Promise<UploadSession | undefined>
  list(): Promise<readonly (UploadSession & { readonly id: string })[]>
  /** Moves a file into place as a chunk, replacing an existing one. */
  putChunk(id: string, index: number, path: string): Promise<void>
  removeChunk(id: string, index: number): Promise<void>
  /** Sizes of the chunks by their numbers. */
  chunks(id: string): Promise<Map<number, number>>
  /** Path of the assembled file. */
  assembledPath(id: string): string
  /** Assembles the chunks; resolves to the path of the file. */
  assemble(id: string, total: number, signal: AbortSignal): Promise<string>
  /** Deletes the chunks, and the assembled file unless it is kept; the session itself exists until it expires. */
  clear(id: string, options?: { readonly keepFile?: boolean }): Promise<void>
  remove(id: string): Promise<void>
  /** Folder for chunks that are being received. */
  readonly receiving: string
  /** Removes those that have expired. */
  sweep(): Promise<void>
}

/** The missing chunks of an interrupted upload, as ranges of `[first, last]`. */
export function missingChunks(chunks: ReadonlyMap<number, number>, total: number): [first: number, last: number][] {
  const runs: [number, number][] = []
  for (let index = 0; index < total; index++) {
    if (chunks.has(index)) continue
    const run = runs.at(-1)
    if (run?.[1] === index - 1) run[1] = index
    else runs.push([index, index])
  }
  return runs
}

/** @param prefix - Of the names of the folders in `tmp/`, so that uploads of different kinds do not see each other. */
export function createUploadSessions(siteDir: string, prefix: string): UploadSessions {
  const place = join(siteDir, 'tmp')
  const folderOf = (id: string) => join(place, `${prefix}-${id}`)
  const sessionFile = (id: string) => createDurableFile(join(folderOf(id), 'session.json'), async () => {})
  const assembledPath = (id: string) => join(folderOf(id), 'file')

  async function get(id: string): Promise<UploadSession | undefined> {
    const session = sessionSchema.safeParse(await sessionFile(id).read()).data
    return session && Date.parse(session.expires) > Date.now() ? session : undefined
  }

  async function ids(): Promise<string[]> {
    const start = `${prefix}-`
    return (await namesIn(place)).filter((name) => name.startsWith(start)).map((name) => name.slice(start.length))
  }

  return {
    get,
    assembledPath,
    async list() {
      const found = await Promise.all((await ids()).map(async (id) => ({ id, session: await get(id) })))
      return found.flatMap(({ id, session }) => (session ? [{ id, ...session }] : []))
    },
    receiving: place,
    async put(id, session) {
      await mkdir(folderOf(id), { recursive: true, mode: 0o700 })
      await sessionFile(id).write({ ...session })
    },
    async putChunk(id, index, path) {
      await mkdir(join(folderOf(id), 'chunks'), { recursive: true, mode: 0o700 })
      await rename(path, join(folderOf(id), 'chunks', String(index)))
    },
    removeChunk: (id, index) => rm(join(folderOf(id), 'chunks', String(index)), { force: true }),
    async chunks(id) {
      const folder = join(folderOf(id), 'chunks')
      const sizes = (await namesIn(folder)).map(
        async (name) => [Number(name), (await stat(join(folder, name))).size] as const,
      )
      return new Map(await Promise.all(sizes))
    },
    async assemble(id, total, signal) {
      const path = assembledPath(id)
      await rm(path, { force: true })
      for (let index = 0; index < total; index++) {
        const chunk = createReadStream(join(folderOf(id), 'chunks', String(index)))
        await pipeline(chunk, createWriteStream(path, { flags: 'a', mode: 0o600 }), { signal })
      }
      return path
    },
    async clear(id, { keepFile = false } = {}) {
      await rm(join(folderOf(id), 'chunks'), { recursive: true, force: true })
      if (!keepFile) await rm(assembledPath(id), { force: true })
    },
    remove: (id) => rm(folderOf(id), { recursive: true, force: true }),
    async sweep() {
      for (const id of await ids()) if (!(await get(id))) await rm(folderOf(id), { recursive: true, force: true })
    },
  }
}
