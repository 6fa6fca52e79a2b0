import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { isMedia, safeUploadPath } from '../media/upload-path.ts'
import { archiveKind, startOf } from './archive-kind.ts'
import { readEntry } from './export-files.ts'
import { type ImportReport, note } from './report.ts'
import { isGenerated } from './uploads.ts'
import { WxrError } from './wxr-error.ts'
import { damaged, zipEntries } from './zip-entries.ts'

/** Media are already compressed: an archive with a higher ratio is a zip bomb. */
const LARGEST_RATIO = 50
const SMALL = 256 * 1024 * 1024
/** Minimum free disk space, in bytes. */
const RESERVE = 256 * 1024 * 1024
const MOST_FILES = 500_000
const LONGEST_PATH = 1000
const ZIP = { entries: 0xffff, directory: 64 * 1024 * 1024 }

type Refused = ImportReport['files']['refused']

/**
 * Unpacks the media files of an archive of `wp-content/uploads` (zip, tar, tar.gz) into a new folder. Nothing is ever
 * written outside of the folder: names are checked, and links and everything else that is not a file are skipped.
 *
 * @returns the skipped files
 * @throws WxrError for an archive that is damaged, too large for the disk, or expands to far more than it should
 */
export async function unpackUploads(
  archive: string,
  folder: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress(files: number): void },
): Promise<Refused> {
  const { size } = await stat(archive)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const refused: Refused = []
  const most = Math.max(SMALL, size * LARGEST_RATIO)
  let files = 0
  let bytes = 0

  /** Every byte counts, including skipped files, folders, and data after the end of a tar archive. */
  async function* counted(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      signal.throwIfAborted()
      bytes += chunk.length
      if (bytes > most) throw new WxrError(`expands to more than ${LARGEST_RATIO} times its size`, 0)
      yield chunk
    }
  }

  function countEntry(): void {
    if (++files > MOST_FILES) throw new WxrError(`contains more than ${MOST_FILES} files`, 0)
  }

  async function take(name: string, kind: 'file' | 'link' | 'other', source: AsyncIterable<Buffer>): Promise<void> {
    const reason = kind === 'file' ? undefined : kind === 'link' ? 'a symbolic link' : 'not a file'
    const path = name.length > LONGEST_PATH ? undefined : safeUploadPath(name.replace(/^(?:\.\/)+/, ''))
    const fault =
      reason ??
      (path === undefined
        ? 'not in the uploads folder'
        : isMedia(path.split('/').at(-1) ?? '')
          ? undefined
          : 'not a media file')
    if (fault !== undefined || path === undefined) {
      if (path === undefined || !isGenerated(path))
        note(refused, { file: name.slice(0, LONGEST_PATH), reason: fault ?? '' })
      for await (const _ of source);
      return
    }
    await using file = await createFile(join(folder, path))
    if (!file)
      note(refused, { file: path, reason: 'duplicate in the archive, or a file name that the server does not support' })
    for await (const chunk of source) await file?.write(chunk)
    if (files % 50 === 0) {
      onProgress(files)
      await requireSpace(folder)
    }
  }

  await requireSpace(folder, size)
  const kind = await kindOf(archive)
  if (kind === 'zip') {
    for (const entry of await zipEntries(archive, ZIP)) {
      countEntry()
      const isFolder = entry.name.endsWith('/')
      if (!isFolder) {
        const bytes = counted(chunksOf(readEntry(archive, entry)))
        await take(entry.name, entry.isLink ? 'link' : 'file', bytes)
      }
    }
  } else {
    const { extract } = await import('tar-stream')
    const unpacked = kind === 'gzip' ? createGunzip() : undefined
    const source = createReadStream(archive)
    const entries = extract()
    const flow = unpacked ? pipeline(source, unpacked, counted, entries) : pipeline(source, counted, entries)
    // Its errors come by the loop too.
    flow.catch(() => {})
    try {
      for await (const entry of entries) {
        countEntry()
        const { name, type } = entry.header
        if (type === 'directory') entry.resume()
        else await take(name, kindOfEntry(type), bytesOf(entry))
      }
      await flow
    } catch (error) {
      source.destroy()
      throw error instanceof WxrError || signal.aborted || isOfDisk(error) ? error : damaged()
    }
  }
  return refused
}

function kindOfEntry(type: string | null | undefined): 'file' | 'link' | 'other' {
  if (type === 'file' || type === 'contiguous-file') return 'file'
  return type === 'symlink' ? 'link' : 'other'
}

/** A file that is not there yet; `undefined` where it is, or its name is none for this disk. */
async function createFile(path: string): Promise<FileHandle | undefined> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return await open(path, 'wx', 0o600)
  } catch (error) {
    if (isOfName(error)) return undefined
    throw error
  }
}

async function* bytesOf(entry: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const chunk of entry) if (Buffer.isBuffer(chunk)) yield chunk
}

async function* chunksOf(pieces: ReturnType<typeof readEntry>): AsyncGenerator<Buffer> {
  for await (const { chunk } of pieces) yield chunk
}

async function requireSpace(folder: string, bytes = 0): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < RESERVE + bytes) throw new WxrError('is larger than the free disk space', 0)
}

/** @throws WxrError for a file that is not an archive */
async function kindOf(path: string) {
  const kind = archiveKind(await startOf(path))
  if (kind === undefined) throw new WxrError('is not an archive of media files (zip, tar, tar.gz)', 0)
  return kind
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')
const isOfName = (error: unknown) =>
  ['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'EINVAL', 'EILSEQ'].includes(codeOf(error))
const isOfDisk = (error: unknown) => ['ENOSPC', 'EDQUOT', 'EIO', 'EACCES', 'EROFS'].includes(codeOf(error))
