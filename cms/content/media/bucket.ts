import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import mime from 'mime-types'
import type { Database } from '../../../core/database/index.ts'
import { RestError } from '../../../core/errors.ts'
import type { Logger } from '../../../core/log.ts'
import { connect } from './bucket-client.ts'
import { createLocalFiles, type Source, UPLOADS_IMPORT, type UploadFiles } from './upload-files.ts'
import { safeUploadPath } from './upload-path.ts'

/** Attempts to store a file, whose stream the SDK cannot repeat. */
const ATTEMPTS = 3
/** Files transferred concurrently. */
const AT_ONCE = 8
const HOUR = 3_600_000
/** First key of the advisory lock for claiming names, the second is a hash of the name. */
const LOCK = 0x75706c64

/** A folder of the site in the bucket. */
interface Folder {
  readonly siteDir: string
  readonly name: 'uploads' | 'backups' | 'pwa' | 'tmp'
  readonly database: Database
  readonly log: Logger
}

/**
 * A folder of the site in a bucket of Amazon S3 or a compatible service. The bucket is the only truth: each reader asks it whether the file exists, and
 * fetches it unless size and modification time of the local copy match.
 */
export async function openBucket(
  storageUrl: string,
  { siteDir, name: folderName, database, log }: Folder,
): Promise<UploadFiles & { close(): void }> {
  const { sdk, client, name, prefix: start } = await connect(storageUrl)
  const prefix = `${start}${folderName}/`
  const modes = folderName === 'uploads' ? { folder: 0o755, file: 0o644 } : { folder: 0o700, file: 0o600 }
  const local = createLocalFiles(siteDir, folderName)
  const { folder } = local
  const objectOf = (file: string) => ({ Bucket: name, Key: prefix + file })

  /** Errors of the service may contain parts of requests, so visitors get another one. */
  async function attempt<Result>(work: () => Promise<Result>, file: string): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof sdk.NotFound || error instanceof sdk.NoSuchKey) throw error
      log.error({ err: error, file }, 'request to the bucket failed')
      throw new RestError('storage_unavailable', 'The file storage is unavailable. Try again later.', { status: 503 })
    }
  }

  /** `undefined` if there is no such file. */
  async function look(file: string): Promise<Stored | undefined> {
    try {
      const found = await attempt(() => client.send(new sdk.HeadObjectCommand(objectOf(file))), file)
      return { size: found.ContentLength ?? 0, changed: changedAt(found) }
    } catch (error) {
      if (error instanceof sdk.NotFound || error instanceof sdk.NoSuchKey) return undefined
      throw error
    }
  }

  /** Versions of files that are being fetched. */
  const fetching = new Map<string, Promise<boolean>>()

  async function fetchFile(file: string): Promise<boolean> {
    const target = join(folder, file)
    await mkdir(dirname(target), { recursive: true, mode: modes.folder })
    const part = join(dirname(target), `.${randomBytes(9).toString('base64url')}.part`)
    try {
      const answer = await client.send(new sdk.GetObjectCommand(objectOf(file)))
      if (!(answer.Body instanceof Readable)) throw new TypeError('The S3 library did not return a Node stream.')
      await pipeline(answer.Body, createWriteStream(part, { flags: 'wx', mode: modes.file }))
      if ((await stat(part)).size !== answer.ContentLength) throw new Error('The file was not received completely.')
      const changed = changedAt(answer)
      await utimes(part, changed, changed)
      await rename(part, target)
      return true
    } catch (error) {
      if (error instanceof sdk.NoSuchKey) return false
      throw error
    } finally {
      await rm(part, { force: true })
    }
  }

  async function pull(file: string): Promise<boolean> {
    const stored = await look(file)
    if (!stored) return false
    const own = await stat(join(folder, file)).catch(() => undefined)
    if (own?.size === stored.size && Math.round(own.mtimeMs) === stored.changed.getTime()) return true
    const version = `${file} ${stored.size} ${stored.changed.getTime()}`
    const started =
      fetching.get(version) ?? attempt(() => fetchFile(file), file).finally(() => fetching.delete(version))
    fetching.set(version, started)
    return started
  }

  async function push(source: Source, file: string): Promise<void> {
    const { size, mtimeMs } =
      typeof source === 'string' ? await stat(source) : { size: source.length, mtimeMs: Date.now() }
    const put = () =>
      client.send(
        new sdk.PutObjectCommand({
          ...objectOf(file),
          Body: typeof source === 'string' ? createReadStream(source) : source,
          ContentLength: size,
          ContentType: mime.lookup(file) || 'application/octet-stream',
          Metadata: { mtime: String(Math.round(mtimeMs) / 1000) },
        }),
      )
    await attempt(async () => {
      for (let left = ATTEMPTS - 1; ; left--) {
        try {
          await put()
          return
        } catch (error) {
          if (left === 0) throw error
        }
      }
    }, file)
  }

  /** Stores a file unless its name is taken. The lock is in the database, because not every service supports conditional writes. */
  function create(source: Source, file: string): Promise<boolean> {
    return database.db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${LOCK}, hashtext(${prefix + file}))`.execute(transaction)
      if (await look(file)) return false
      await push(source, file)
      return true
    })
  }

  /** Names and sizes of the files that start with `start`; with a delimiter also the names of folders. */
  async function* list(start: string, delimiter?: string): AsyncGenerator<[name: string, size: number]> {
    let token: string | undefined
    do {
      const page = await attempt(
        () =>
          client.send(
            new sdk.ListObjectsV2Command({
              Bucket: name,
              Prefix: prefix + start,
              ...(delimiter !== undefined && { Delimiter: delimiter }),
              ...(token !== undefined && { ContinuationToken: token }),
            }),
          ),
        start,
      )
      for (const { Key: key = '', Size: size = 0 } of page.Contents ?? []) yield [key.slice(prefix.length), size]
      for (const { Prefix: folder = '' } of page.CommonPrefixes ?? []) yield [folder.slice(prefix.length, -1), 0]
      token = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (token !== undefined)
  }

  async function remove(file: string): Promise<void> {
    await attempt(() => client.send(new sdk.DeleteObjectCommand(objectOf(file))), file)
    await local.remove(file)
  }

  /** Replaces the files in the bucket by those of the folder. */
  async function pushAll(): Promise<void> {
    const own = new Set<string>()
    await inParallel(filesIn(folder), async (file) => {
      own.add(file)
      await push(join(folder, file), file)
    })
    await inParallel(list(''), async ([file]) => {
      if (!own.has(file)) await remove(file)
    })
  }

  const mark = join(siteDir, UPLOADS_IMPORT)
  if (folderName === 'uploads' && existsSync(mark)) {
    await pushAll()
    await rm(mark)
  }

  return {
    folder,
    push,
    pull,
    async place(from, file) {
      if (folderName === 'uploads') {
        // Storing a large file would occupy a connection to the database for minutes, so its name is reserved with an empty one.
        if (!(await create(new Uint8Array(), file))) return false
        await push(from, file)
      } else if (!(await create(from, file))) return false
      await rename(from, join(folder, file))
      return true
    },
    async names(below, start) {
      const whole = below === '' ? '' : `${below}/`
      const files = await Array.fromAsync(list(whole + start, '/'))
      return files.map(([file]) => file.slice(whole.length))
    },
    async sizes(below) {
      const files = await Array.fromAsync(list(`${below}/`, '/'))
      return new Map(files.map(([file, size]) => [file.slice(below.length + 1), size]))
    },
    async pullAll(signal) {
      const there = new Set<string>()
      await inParallel(list(''), async ([file]) => {
        signal.throwIfAborted()
        there.add(file)
        if (isSafe(file)) await pull(file)
      })
      for await (const file of filesIn(folder)) {
        const path = join(folder, file)
        // One that is being uploaded is not in the bucket yet.
        if (!there.has(file) && Date.now() - (await stat(path)).ctimeMs > HOUR) await rm(path, { force: true })
      }
    },
    remove,
    close: () => client.destroy(),
  }
}

/** Regular files below a folder, without temporary ones. */
async function* filesIn(folder: string, below = ''): AsyncGenerator<string> {
  for (const entry of await readdir(join(folder, below), { withFileTypes: true }).catch(() => [])) {
    if (entry.name.startsWith('.')) continue
    const file = below + entry.name
    if (entry.isDirectory()) yield* filesIn(folder, `${file}/`)
    else if (entry.isFile()) yield file
  }
}

/** Objects that other software stores may have any name. */
function isSafe(file: string): boolean {
  return safeUploadPath(file) === file && file.split('/').every((part) => !part.startsWith('.'))
}

async function inParallel<Item>(files: AsyncGenerator<Item>, work: (file: Item) => Promise<unknown>): Promise<void> {
  const worker = async () => {
    for (let next = await files.next(); !next.done; next = await files.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

interface Stored {
  readonly size: number
  readonly changed: Date
}

/** The modification time of the file, as rclone stores it too; otherwise that of the object. */
function changedAt({
  Metadata: metadata,
  LastModified: stored,
}: {
  readonly Metadata?: Record<string, string> | undefined
  readonly LastModified?: Date | undefined
}): Date {
  const seconds = Number(metadata?.mtime)
  return Number.isFinite(seconds) ? new Date(Math.round(seconds * 1000)) : (stored ?? new Date(0))
}
