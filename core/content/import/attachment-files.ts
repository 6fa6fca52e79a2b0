import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonValue } from '../../options/types.ts'
import { asRecord } from '../media/details.ts'
import { filesOfAttachment } from '../media/remove.ts'
import { isMedia, isPlainFile } from '../media/upload-path.ts'
import type { Content, Post } from '../types.ts'
import { type ImportReport, note } from './report.ts'
import { copyUpload, findUploads, hasYears, mediaFiles } from './uploads.ts'

const BATCH = 100

/**
 * Copies the files of attachments with all their sizes, or the whole uploads folder if it is one; names the
 * attachments whose file is missing, and measures the images that WordPress had not.
 */
export async function importFiles(parts: {
  content: Content
  attachmentIds: readonly number[]
  uploadsDir: string | undefined
  siteDir: string
  report: ImportReport
  onProgress(done: number, total: number): void
}): Promise<void> {
  const { content, attachmentIds, uploadsDir, siteDir, report, onProgress } = parts
  const to = join(siteDir, 'uploads')
  const from = uploadsDir === undefined ? undefined : await findUploads(uploadsDir)
  const isWhole = from !== undefined && (await hasYears(from))
  if (from !== undefined && isWhole) {
    let files = 0
    for await (const path of mediaFiles(from, report)) {
      await copyUpload(from, to, path, report)
      onProgress(++files, 0)
    }
  }

  for (let start = 0; start < attachmentIds.length; start += BATCH) {
    const posts = [...(await content.posts.getMany(attachmentIds.slice(start, start + BATCH))).values()]
    const metas = await content.meta.of(
      'post',
      posts.map(({ id }) => id),
    )
    for (const post of posts) {
      const meta = metas.get(post.id) ?? {}
      const files = filesOfAttachment(meta)
      if (from !== undefined && !isWhole) await copyAll(from, to, files, report)
      const file = files[0]
      if (file === undefined) continue
      if (await isPlainFile(to, file))
        await measure(content, post, join(to, file), file, meta._wp_attachment_metadata?.[0])
      else note(report.missingFiles, file)
    }
    onProgress(Math.min(start + BATCH, attachmentIds.length), attachmentIds.length)
  }
}

async function copyAll(from: string, to: string, files: readonly string[], report: ImportReport): Promise<void> {
  for (const file of files) {
    if (!isMedia(file.split('/').at(-1) ?? '')) note(report.files.refused, { file, reason: 'not a media file' })
    else if (await isPlainFile(from, file)) await copyUpload(from, to, file, report)
  }
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
