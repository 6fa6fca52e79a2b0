import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '../../../core/database/index.ts'
import { RestError } from '../../../core/errors.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import { createSemaphore } from '../../../core/threads/semaphore.ts'
import { sanitizeTextField } from '../sanitize.ts'
import { gmtNow, gmtToSite } from '../site-time.ts'
import type { Media, MetaStore, NewPost, Post, Posts, SiteSettings } from '../types.ts'
import { asRecord, createMediaDetails, uploadUrl } from './details.ts'
import { filterShapes, type StoredFile } from './hooks.ts'
import { formatOf, makeSafe } from './image.ts'
import { filesOfAttachment, removeFiles } from './remove.ts'
import { makeSizes } from './sizes.ts'
import { withFile } from './temporary.ts'
import { type TakenFile, takeFile } from './upload.ts'
import { isUploaded, type UploadFiles } from './upload-files.ts'
import { safeUploadPath } from './upload-path.ts'

/** Maximum number of images processed concurrently; the pixels of each are in memory. */
const AT_ONCE = 2

type Metadata = Readonly<Record<string, JsonValue>>
type Announce = Parameters<Media['upload']>[2]

/** The original file of an attachment. */
interface Original {
  readonly file: string
  /** All files that the attachment should have. */
  readonly files: readonly string[]
  readonly imageMeta: Metadata
}

/** Attachments and their files. */
export function createMedia(parts: {
  posts: Posts
  meta: MetaStore
  database: Database
  hooks: Hooks
  settings: () => SiteSettings
  siteUrl: string
  siteDir: string
  files: UploadFiles
}): Media {
  const { posts, meta, database, hooks, settings, siteUrl, siteDir, files } = parts
  hooks.declareFilters(filterShapes)
  const limit = createSemaphore(AT_ONCE)

  /** WordPress's month of an upload: that of the post it belongs to, else now. */
  async function monthOf(parentId: number | undefined): Promise<string> {
    const parent = parentId ? await posts.get(parentId) : undefined
    const date = parent && parent.type !== 'page' ? parent.date : gmtToSite(gmtNow(), settings().timezone)
    return date.slice(0, 7).replace('-', '/')
  }

  async function take(path: string, name: string, post: NewPost): Promise<TakenFile> {
    const month = await monthOf(post.parentId)
    const parts = { files, hooks, limit, month, userId: post.authorId ?? 0, language: settings().language }
    return takeFile({ path, name }, parts)
  }

  async function insert({ file, type, image }: TakenFile, name: string, post: NewPost): Promise<Post> {
    const title = post.title || image?.meta.title || titleOf(name) || titleOf(file.slice(file.lastIndexOf('/') + 1))
    return posts.insert({
      ...post,
      status: post.status ?? 'inherit',
      title,
      excerpt: post.excerpt || image?.meta.caption || '',
      type: 'attachment',
      mimeType: type,
      guid: uploadUrl(siteUrl, file),
      meta: { ...post.meta, _wp_attached_file: [file] },
    })
  }

  /** Stores the metadata of a file. */
  async function describe(id: number, made: Metadata, context: 'create' | 'update'): Promise<void> {
    const attached = typeof made.file === 'string' ? { _wp_attached_file: [made.file] } : {}
    try {
      // Stored before any callback can reject the upload, so that its files are known for deletion.
      if (typeof made.file === 'string') await meta.set('post', id, '_wp_attached_file', made.file)
      await meta.set('post', id, '_wp_attachment_metadata', made)
      const metadata = await hooks.applyFiltersAsync('wp_generate_attachment_metadata', made, id, context)
      // Without a valid record, the files could not be found again.
      if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return
      if (metadata !== made) await meta.set('post', id, '_wp_attachment_metadata', metadata)
    } catch (error) {
      if (await posts.get(id)) throw error
      // The deletion removed only the files known at that time.
      const written = filesOfAttachment({ ...attached, _wp_attachment_metadata: [made] })
      await removeFiles(written, { files, database, meta })
      throw error
    }
  }

  /** An error because the attachment was deleted in the meantime is not a bug. @throws RestError `rest_unknown_attachment` */
  async function whileThere<Result>(id: number, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw (await posts.get(id)) ? error : noFile()
    }
  }

  async function metadataOf(id: number, { file, filesize, image, drawing }: TakenFile): Promise<Metadata> {
    if (!image) return { ...(drawing && { ...drawing, file }), filesize }
    return limit(async () => {
      const bytes = await readFile(join(files.folder, file))
      return makeSizes({ ...image, bytes }, file, { files, hooks, attachmentId: id })
    })
  }

  async function add(path: string, name: string, post: NewPost, announce: Announce): Promise<Post> {
    const taken = await take(path, name, post)
    let id: number | undefined
    try {
      const { type } = await hooks.applyFiltersAsync('wp_handle_upload', storedFile(taken), 'upload')
      const inserted = await insert({ ...taken, type }, name, post)
      const own = inserted.id
      id = own
      await announce?.(inserted)
      await whileThere(own, async () => describe(own, await metadataOf(own, taken), 'create'))
      return (await posts.get(own)) ?? inserted
    } catch (error) {
      const made = id ?? (await recordOf(taken.file))
      if (made !== undefined) await posts.delete(made)
      await files.remove(taken.file)
      throw error
    }
  }

  function storedFile({ file, type }: TakenFile): StoredFile {
    return { file, type, path: join(files.folder, file), url: uploadUrl(siteUrl, file) }
  }

  /** The record of a file, which already exists if a callback of `add_attachment` rejects the upload. */
  async function recordOf(file: string): Promise<number | undefined> {
    const { rows } = await sql<{ post_id: number }>`
      select post_id from postmeta where meta_key = '_wp_attached_file' and meta_value = ${JSON.stringify(file)}`.execute(
      database.db,
    )
    return rows[0]?.post_id
  }

  return {
    ...createMediaDetails({ meta, siteUrl }),
    files,

    upload({ source, name }, post = {}, announce) {
      if (typeof source === 'string') return add(source, name, post, announce)
      return withFile(siteDir, source, (path) => add(path, name, post, announce))
    },

    async regenerate(id) {
      const post = await posts.get(id)
      const found = post && (await original(id))
      if (post?.type !== 'attachment' || !found) throw noFile()
      const format = formatOf(found.file.slice(found.file.lastIndexOf('.') + 1).toLowerCase())
      if (!format) return post
      await whileThere(id, async () => {
        const made = await limit(async () => {
          const strips = hooks.applyFilters('image_strip_meta', true)
          const image = await makeSafe(await readFile(join(files.folder, found.file)), format, strips)
          return makeSizes(image, found.file, { files, hooks, attachmentId: id })
        })
        // The camera data was removed from the file.
        const told = Object.keys(found.imageMeta).length > 0 ? { image_meta: found.imageMeta } : {}
        await describe(id, { ...made, ...told }, 'update')
      })
      const kept = new Set(filesOfAttachment((await meta.of('post', [id])).get(id) ?? {}))
      const gone = found.files.filter((file) => !kept.has(file))
      await removeFiles(gone, { files, database, meta })
      return post
    },

    read,

    work: (id, task) => limit(async () => task(await read(id))),
  }

  async function read(id: number): Promise<Uint8Array> {
    const found = await original(id)
    if (!found) throw noFile()
    return readFile(join(files.folder, found.file))
  }

  /** The file that was uploaded, not the one scaled down from it. */
  async function original(id: number): Promise<Original | undefined> {
    const own = (await meta.of('post', [id])).get(id) ?? {}
    const all = filesOfAttachment(own)
    const [attached] = all
    if (attached === undefined) return undefined
    const { original_image: name, image_meta: imageMeta } = asRecord(own._wp_attachment_metadata?.[0])
    const whole =
      typeof name === 'string' ? safeUploadPath(attached.slice(0, attached.lastIndexOf('/') + 1) + name) : undefined
    for (const file of [whole, attached]) {
      if (file !== undefined && (await isUploaded(files, file)))
        return { file, files: all, imageMeta: asRecord(imageMeta) }
    }
    return undefined
  }
}

/** A file's name as a title, without its extension; nothing in it is a tag. */
function titleOf(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const dot = last.lastIndexOf('.')
  return sanitizeTextField((dot > 0 ? last.slice(0, dot) : last).slice(0, 500))
}

function noFile(): RestError {
  return new RestError('rest_unknown_attachment', 'Unable to get meta information for file.', { status: 404 })
}
