import { readFile, stat } from 'node:fs/promises'
import type { Hooks } from '../../../core/hooks/types.ts'
import { fileRejected, notConvertible, typeRejected } from './errors.ts'
import { sanitizeFileName } from './file-name.ts'
import { extensionsByContent } from './file-type.ts'
import { formatOf, makeSafe, type SafeImage } from './image.ts'
import { addedKind, allowedKind, MIME_TYPES, typeOfExtension } from './mime-types.ts'
import { placeFile } from './place.ts'
import { sanitizeSvg } from './svg.ts'
import type { Source, UploadFiles } from './upload-files.ts'

/** A file of the uploads folder that has no record yet. */
export interface TakenFile {
  /** Below the uploads folder. */
  readonly file: string
  readonly type: string
  readonly filesize: number
  /** Set for images that get sizes; their bytes are on disk by then. */
  readonly image: Omit<SafeImage, 'bytes'> | undefined
  /** Set for a drawing that specifies its dimensions. */
  readonly drawing: { readonly width: number; readonly height: number } | undefined
}

/** Image formats that neither browsers nor sharp support. */
const CONVERTIBLE = ['heic', 'heif', 'tif', 'tiff', 'bmp', 'ico']

/**
 * Stores a file in the uploads folder: its type is detected from the content and determines its name; images are sanitized. A rejected file
 * is deleted.
 * @param month folder below the uploads, `2026/01`
 * @throws RestError
 */
export async function takeFile(
  given: { readonly path: string; readonly name: string },
  parts: {
    readonly files: UploadFiles
    readonly month: string
    readonly userId: number
    readonly language: string
    readonly hooks: Hooks
    /** Limits the concurrency of memory- and CPU-intensive tasks. */
    readonly limit: <Result>(task: () => Promise<Result>) => Promise<Result>
  },
): Promise<TakenFile> {
  const { files, month, hooks } = parts
  const { size } = await stat(given.path)
  const file = await hooks.applyFiltersAsync('wp_handle_upload_prefilter', { ...given, size })
  if (size === 0) throw fileRejected('empty', 'File is empty. Please upload something more substantial.')

  const types = hooks.applyFilters('upload_mimes', MIME_TYPES, parts.userId)
  const name = sanitizeFileName(
    file.name,
    (extension) => typeOfExtension(types, extension) !== undefined,
    parts.language,
  )
  const found = await extensionsByContent(given.path, name.extension)
  const kind = addedKind(types, found, name.extension) ?? allowedKind(types, found, name.extension)
  if (!kind) throw found.some((extension) => CONVERTIBLE.includes(extension)) ? notConvertible() : typeRejected()

  const { extension, type } = kind
  const place = (source: Source) => placeFile(source, files, month, { base: name.base, extension })
  const format = formatOf(extension)
  if (format) {
    return parts.limit(async () => {
      const { bytes, ...image } = await makeSafe(
        await readFile(given.path),
        format,
        hooks.applyFilters('image_strip_meta', true),
      )
      return { file: `${month}/${await place(bytes)}`, type, filesize: bytes.length, image, drawing: undefined }
    })
  }
  if (extension !== 'svg') {
    return { file: `${month}/${await place(given.path)}`, type, filesize: size, image: undefined, drawing: undefined }
  }
  const { bytes, width, height } = sanitizeSvg(await readFile(given.path))
  const drawing = width && height ? { width, height } : undefined
  return { file: `${month}/${await place(bytes)}`, type, filesize: bytes.length, image: undefined, drawing }
}
