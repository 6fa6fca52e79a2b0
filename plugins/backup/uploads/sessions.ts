import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { readJson, writeJson } from '../json-file.ts'
import { namesIn } from '../presence.ts'

/** Bytes of each chunk but the last. */
export const CHUNK = 8 * 1024 * 1024
/** Milliseconds that an upload may take. */
export const LIFETIME = 24 * 3600 * 1000
/** An archive has at most this many bytes: 8 TiB, which is what a million chunks hold. */
export const MOST_CHUNKS = 1024 * 1024

const sessionSchema = z.object({
  fileName: z.string(),
  size: z.number().nullable(),
  sha256: z.string().nullable(),
  userId: z.number().nullable(),
  expires: z.string(),
  /** Number of chunks, once the last one is known. */
  total: z.number().nullable(),
  /** Set when it has become a backup. */
  backupId: z.string().nullable(),
})

/** An upload that has begun. */
export type UploadSession = z.output<typeof sessionSchema>

/** Uploads under way: a folder for each in `<site>/tmp/`, with a file for each chunk. */
export interface UploadSessions {
  put(id: string, session: UploadSession): Promise<void>
  /** `undefined` if there is none, or its time is over. */
  get(id: string): Promise<UploadSession | undefined>
  /** Those that have begun and are not backups yet. */
  list(): Promise<readonly (UploadSession & { readonly id: string })[]>
  /** Takes over a file as a chunk; one that is there already is replaced. */
  putChunk(id: string, index: number, path: string): Promise<void>
  /** Sizes of the chunks by their numbers. */
  chunks(id: string): Promise<Map<number, number>>
  /** Puts the chunks together; resolves to the path of the whole. */
  assemble(id: string, total: number, signal: AbortSignal): Promise<string>
  /** Removes the chunks and what was made of them; the session itself is known until its time is over. */
  clear(id: string): Promise<void>
  remove(id: string): Promise<void>
  /** Where chunks may be received. */
  readonly receiving: string
  /** Removes those whose time is over. */
  sweep(): Promise<void>
}

/** What was sent already, so that an upload can go on: the chunks that are missing, as runs of `[first, last]`. */
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

export function createUploadSessions(siteDir: string): UploadSessions {
  const place = join(siteDir, 'tmp')
  const folderOf = (id: string) => join(place, `archive-upload-${id}`)
  const sessionPath = (id: string) => join(folderOf(id), 'session.json')

  async function get(id: string): Promise<UploadSession | undefined> {
    const session = sessionSchema.safeParse(await readJson(sessionPath(id))).data
    return session && Date.parse(session.expires) > Date.now() ? session : undefined
  }

  const idsIn = async () => (await namesIn(place)).flatMap((name) => /^archive-upload-([\w-]+)$/.exec(name)?.[1] ?? [])

  return {
    get,
    async list() {
      const found = await Promise.all((await idsIn()).map(async (id) => ({ id, session: await get(id) })))
      return found.flatMap(({ id, session }) => (session?.backupId === null ? [{ id, ...session }] : []))
    },
    receiving: place,
    put: (id, session) => writeJson(sessionPath(id), session),
    async putChunk(id, index, path) {
      await mkdir(join(folderOf(id), 'chunks'), { recursive: true, mode: 0o700 })
      await rename(path, join(folderOf(id), 'chunks', String(index)))
    },
    async chunks(id) {
      const folder = join(folderOf(id), 'chunks')
      const sizes = (await namesIn(folder)).map(
        async (name) => [Number(name), (await stat(join(folder, name))).size] as const,
      )
      return new Map(await Promise.all(sizes))
    },
    async assemble(id, total, signal) {
      const path = join(folderOf(id), 'archive')
      await rm(path, { force: true })
      for (let index = 0; index < total; index++) {
        const chunk = createReadStream(join(folderOf(id), 'chunks', String(index)))
        await pipeline(chunk, createWriteStream(path, { flags: 'a', mode: 0o600 }), { signal })
      }
      return path
    },
    async clear(id) {
      await rm(join(folderOf(id), 'chunks'), { recursive: true, force: true })
      await rm(join(folderOf(id), 'archive'), { force: true })
    },
    remove: (id) => rm(folderOf(id), { recursive: true, force: true }),
    async sweep() {
      for (const id of await idsIn()) if (!(await get(id))) await rm(folderOf(id), { recursive: true, force: true })
    },
  }
}
