import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { createDurableFile } from '../../core/files/durable-file.ts'
import { createLocalFiles, type SharedFiles } from '../content/media/upload-files.ts'
import { namesIn } from '../files/names-in.ts'
import { sha256File } from './sha256-file.ts'

/** Bytes of each chunk but the last. */
export const CHUNK = 8 * 1024 * 1024
/** Milliseconds that an upload may take. */
export const LIFETIME = 24 * 3600 * 1000
/** A file has at most this many bytes: 8 TiB, which is what a million chunks hold. */
export const MOST_CHUNKS = 1024 * 1024

const sessionSchema = z.object({
  fileName: z.string(),
  size: z.number().nullable(),
  /** As announced, or once it is complete, of the file. */
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

/** Uploads in progress: a folder for each in `tmp/`, of the site or its bucket, with a file for each chunk. */
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
  /** Assembles the chunks; resolves to the path of the file. */
  assemble(id: string, total: number, signal: AbortSignal): Promise<string>
  /** Path of the file of a complete upload that was kept; assembled again if another node did so. */
  assembled(id: string, signal: AbortSignal): Promise<string>
  /**
   * Deletes the chunks, and the assembled file unless it is kept; the session itself exists until it expires. In a bucket, chunks of a kept
   * file remain, for other nodes.
   */
  clear(id: string, options?: { readonly keepFile?: boolean }): Promise<void>
  remove(id: string): Promise<void>
  /** Folder for chunks that are being received. */
  readonly receiving: string
  /** Removes those that have expired. With a bucket, each node must call it, since only it can remove its copies. */
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

/**
 * @param prefix - Of the names of the folders in `tmp/`, so that uploads of different kinds do not see each other.
 * @param shared - The folder `tmp` in the bucket of the site, so that each request may reach another node.
 */
export function createUploadSessions(siteDir: string, prefix: string, shared?: SharedFiles): UploadSessions {
  const place = join(siteDir, 'tmp')
  const files = shared ?? createLocalFiles(siteDir, 'tmp')
  const start = `${prefix}-`
  const nameOf = (id: string) => `${start}${id}`
  const folderOf = (id: string) => join(place, nameOf(id))
  const sessionOf = (id: string) => `${nameOf(id)}/session.json`
  const sessionFile = (id: string) => createDurableFile(join(place, sessionOf(id)), async () => {})
  const chunksOf = (id: string) => `${nameOf(id)}/chunks`
  const chunkOf = (id: string, index: number) => `${chunksOf(id)}/${index}`
  const assembledOf = (id: string) => join(folderOf(id), 'file')

  /** As this machine knows it. */
  async function getOwn(id: string): Promise<UploadSession | undefined> {
    const session = sessionSchema.safeParse(await sessionFile(id).read()).data
    return session && Date.parse(session.expires) > Date.now() ? session : undefined
  }

  const get = async (id: string) => ((await files.pull(sessionOf(id))) ? getOwn(id) : undefined)

  const ids = async () => (await files.names('', start)).map((name) => name.slice(start.length))

  async function removeChunks(id: string): Promise<void> {
    for (const name of (await files.sizes(chunksOf(id))).keys()) await files.remove(`${chunksOf(id)}/${name}`)
  }

  async function remove(id: string): Promise<void> {
    await removeChunks(id)
    await files.remove(sessionOf(id))
    await rm(folderOf(id), { recursive: true, force: true })
  }

  async function assemble(id: string, total: number, signal: AbortSignal): Promise<string> {
    const path = assembledOf(id)
    await rm(path, { force: true })
    for (let index = 0; index < total; index++) {
      await files.pull(chunkOf(id, index))
      const chunk = join(place, chunkOf(id, index))
      await pipeline(createReadStream(chunk), createWriteStream(path, { flags: 'a', mode: 0o600 }), { signal })
      if (shared) await rm(chunk)
    }
    return path
  }

  return {
    get,
    remove,
    async list() {
      const found = await Promise.all((await ids()).map(async (id) => ({ id, session: await get(id) })))
      return found.flatMap(({ id, session }) => (session ? [{ id, ...session }] : []))
    },
    receiving: place,
    async put(id, session) {
      await files.push(Buffer.from(JSON.stringify(session)), sessionOf(id))
      await mkdir(folderOf(id), { recursive: true, mode: 0o700 })
      await sessionFile(id).write({ ...session })
    },
    async putChunk(id, index, path) {
      await files.push(path, chunkOf(id, index))
      // The node that assembles the chunks fetches them.
      if (shared) return rm(path, { force: true })
      await mkdir(join(folderOf(id), 'chunks'), { recursive: true, mode: 0o700 })
      await rename(path, join(place, chunkOf(id, index)))
    },
    removeChunk: (id, index) => files.remove(chunkOf(id, index)),
    async chunks(id) {
      const sizes = await files.sizes(chunksOf(id))
      return new Map([...sizes].map(([name, size]) => [Number(name), size]))
    },
    assemble,
    async assembled(id, signal) {
      const path = assembledOf(id)
      if (!shared) return path
      const session = await get(id)
      // An earlier version stored it on this machine only.
      if (!session) return path
      const { sha256, total } = session
      // A node that was killed while it assembled the file may have a former one.
      if (existsSync(path) && (await sha256File(path, signal)) === sha256) return path
      return assemble(id, total ?? 0, signal)
    },
    async clear(id, { keepFile = false } = {}) {
      if (!keepFile || !shared) await removeChunks(id)
      await rm(join(folderOf(id), 'chunks'), { recursive: true, force: true })
      if (!keepFile) await rm(assembledOf(id), { force: true })
    },
    async sweep() {
      const own = (await namesIn(place))
        .filter((name) => name.startsWith(start))
        .map((name) => name.slice(start.length))
      for (const id of new Set([...own, ...(await ids())])) {
        // One of an earlier version, which an import may still read, exists on this machine only.
        if (!(await getOwn(id)) && !(await get(id))) await remove(id)
      }
    },
  }
}
