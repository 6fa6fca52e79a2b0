import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../../core/database/index.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import { asRecord } from '../media/details.ts'
import { filesOfAttachment } from '../media/remove.ts'
import { isUploaded, type UploadFiles } from '../media/upload-files.ts'
import { isMedia, isPlainFile } from '../media/upload-path.ts'
import { fromJsonText } from '../rows.ts'
import type { Content, Post } from '../types.ts'
import { type DownloadOptions, downloadFiles } from './download.ts'
import type { ImportJournal } from './journal.ts'
import { isSize, makeNamedSize } from './named-size.ts'
import { type ImportReport, note, noteMissing } from './report.ts'
import { ANOTHER, copyUpload, findUploads, hasYears, mediaFiles } from './uploads.ts'
import type { WantedFile, WantedFiles } from './wanted-files.ts'

const BATCH = 100

export interface FileImport {
  readonly content: Content
  readonly database: Database
  readonly attachmentIds: readonly number[]
  readonly files: WantedFiles
  readonly uploadsDir: string | undefined
  readonly siteDir: string
  readonly report: ImportReport
  readonly journal: ImportJournal
  readonly download: DownloadOptions | undefined
  readonly signal: AbortSignal
  onProgress(done: number, total: number, message: string): void
}

/**
 * Copies the files of attachments and texts with all their sizes, or an entire uploads folder; downloads files that are missing there,
 * generates missing sizes, reports missing files, and measures images without stored dimensions.
 */
export async function importFiles(parts: FileImport): Promise<void> {
  const { content, attachmentIds, files, uploadsDir, siteDir, report, journal } = parts
  const to = content.media.files
  const isThere = (file: string) => isUploaded(to, file)
  if (uploadsDir !== undefined) await copyFiles(await findUploads(uploadsDir, files.all()), to, parts)
  else await noteOthers(parts, to)
  const sought = await missingOf(files.all(), isThere)
  countEarlier(parts, sought)
  if (parts.download) for (const { file } of sought) await journal.note('download', file)
  const failures = parts.download
    ? await downloadFiles(sought, {
        ...{ siteDir, uploads: to, isTrusted: parts.download.isTrusted, signal: parts.signal },
        onProgress: (done, bytes) =>
          parts.onProgress(done, sought.length, `${done} of ${sought.length} files, ${megabytes(bytes)} MB downloaded`),
      })
    : new Map<string, string>()
  const absent = new Set((await missingOf(sought, isThere)).map(({ file }) => file))
  report.files.downloaded += sought.length - absent.size
  for (const file of absent) {
    const others = files.sameImage(file).filter((other) => !absent.has(other))
    await journal.note('size', file)
    if (await makeNamedSize(to, file, others)) report.files.resized++
    // Sizes of a missing image are not reported individually.
    else if (others.length > 0 || !isSizeOfWanted(file, files)) noteMissing(report, file, failures.get(file))
  }

  for (let start = 0; start < attachmentIds.length; start += BATCH) {
    const posts = [...(await content.posts.getMany(attachmentIds.slice(start, start + BATCH))).values()]
    const metas = await content.meta.of(
      'post',
      posts.map(({ id }) => id),
    )
    for (const post of posts) {
      const meta = metas.get(post.id) ?? {}
      const [file] = filesOfAttachment(meta)
      if (file !== undefined && (await isUploaded(to, file)))
        await measure(content, post, join(to.folder, file), file, meta._wp_attachment_metadata?.[0])
    }
    parts.onProgress(Math.min(start + BATCH, attachmentIds.length), attachmentIds.length, 'measuring images')
  }
}

/** Files that an interrupted import downloaded or generated are counted for this import. */
function countEarlier({ files, report, journal }: FileImport, missing: readonly WantedFile[]): void {
  const absent = new Set(missing.map(({ file }) => file))
  for (const { file } of files.all()) {
    if (absent.has(file)) continue
    if (journal.take('size', file)) report.files.resized++
    else if (journal.take('download', file)) report.files.downloaded++
  }
}

async function missingOf(
  files: readonly WantedFile[],
  isThere: (file: string) => Promise<boolean>,
): Promise<WantedFile[]> {
  const missing: WantedFile[] = []
  for (const wanted of files) if (!(await isThere(wanted.file))) missing.push(wanted)
  return missing
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

/** Reports files that belong to attachments missing from the export. */
async function noteOthers({ database, attachmentIds, files, report }: FileImport, uploads: UploadFiles): Promise<void> {
  const own = new Set(attachmentIds)
  const wanted = new Set(files.all().map(({ file }) => file))
  const rows = await database.db
    .selectFrom('postmeta')
    .select(['post_id', 'meta_value'])
    .where('meta_key', '=', '_wp_attached_file')
    .execute()
  for (const { post_id: id, meta_value: value } of rows) {
    const file = fromJsonText(value)
    if (own.has(id) || typeof file !== 'string' || !wanted.has(file)) continue
    if (await isUploaded(uploads, file)) note(report.files.refused, { file, reason: ANOTHER })
  }
}

/** Reports what `importFiles` would do, without downloading anything. */
export async function countFiles({ content, files, uploadsDir, download, report }: FileImport): Promise<void> {
  const from = uploadsDir === undefined ? [] : await findUploads(uploadsDir, files.all())
  const absent = await missingOf(files.all(), (file) => isUploaded(content.media.files, file))
  let missing = absent
  for (const folder of from) missing = await missingOf(missing, (file) => isPlainFile(folder, file))
  report.files.copied = absent.length - missing.length
  if (download) report.files.downloaded = missing.length
  else for (const { file } of missing) if (!isSizeOfWanted(file, files)) noteMissing(report, file)
}

function isSizeOfWanted(file: string, files: WantedFiles): boolean {
  return isSize(file) && files.sameImage(file).some((other) => !isSize(other))
}

/** Copies the wanted files from all folders, and everything from entire uploads folders. */
async function copyFiles(folders: readonly string[], to: UploadFiles, parts: FileImport): Promise<void> {
  const { files, report, onProgress } = parts
  let done = 0
  const copied = () => `${report.files.copied} files copied`
  let isComplete = false
  for (const from of folders) {
    if (await hasYears(from)) {
      isComplete = true
      const others = folders.filter((folder) => folder !== from && !from.startsWith(join(folder, '/')))
      for await (const path of mediaFiles(from, report, others)) {
        await copyUpload(from, to, path, parts)
        onProgress(++done, 0, copied())
      }
      continue
    }
    for (const { file } of files.all()) {
      if (isMedia(file.split('/').at(-1) ?? '') && (await isPlainFile(from, file)))
        await copyUpload(from, to, file, parts)
      onProgress(++done, folders.length * files.all().length, copied())
    }
  }
  if (isComplete) return
  for (const { file } of files.all())
    if (!isMedia(file.split('/').at(-1) ?? '')) note(report.files.refused, { file, reason: 'not a media file' })
}

/** Gives an image without metadata its width and height. */
async function measure(
  content: Content,
  post: Post,
  path: string,
  file: string,
  metadata: JsonValue | undefined,
): Promise<void> {
  const known = asRecord(metadata)
  if (!post.mimeType.startsWith('image/') || known.width !== undefined) return
  const { default: sharp } = await import('sharp')
  const image = await sharp(path)
    .metadata()
    .catch(() => undefined)
  const { width, height } = image?.autoOrient ?? {}
  if (!width || !height) return
  const { size } = await stat(path)
  await content.meta.set('post', post.id, '_wp_attachment_metadata', {
    sizes: {},
    ...known,
    width,
    height,
    file,
    filesize: size,
  })
}
