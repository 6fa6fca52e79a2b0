import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { RestError } from '../../../core/errors.ts'
import { decoded, formatOf, open, written } from '../media/image.ts'
import { replaceFile } from '../media/place.ts'
import type { UploadFiles } from '../media/upload-files.ts'

const SIZE = /-(\d{1,5})x(\d{1,5})\.([^./]+)$/
const QUALITY = 82

/** Whether the name of a file contains the size of an image. */
export function isSize(file: string): boolean {
  return SIZE.test(file)
}

/**
 * Creates the size of an image given in its name, `photo-300x200.jpg`, from the largest existing file, like WordPress: cropped from the
 * center, never enlarged. If only the original or the scaled version (`photo-scaled.jpg`) of an image exists, creates the other one as a
 * copy.
 * @param file path of the size below it
 * @param others files of the same image
 * @returns whether it exists now
 */
export async function makeNamedSize(uploads: UploadFiles, file: string, others: readonly string[]): Promise<boolean> {
  const [, width = '0', height = '0', extension = ''] = SIZE.exec(file) ?? []
  const size = { width: Number(width), height: Number(height) }
  const format = formatOf(extension.toLowerCase())
  if (!isSize(file)) return copyVersion(uploads, file, others)
  if (!format || size.width === 0 || size.height === 0) return false
  for (const other of [...others].sort((a, b) => Number(isSize(a)) - Number(isSize(b)))) {
    try {
      const image = (await open(await readFile(join(uploads.folder, other)))).autoOrient()
      const { autoOrient: from } = await decoded(image.metadata())
      if (from.width < size.width || from.height < size.height) continue
      const resized = image.resize({ ...size, fit: 'cover' })
      await replaceFile(await decoded(written(resized, format, QUALITY).toBuffer()), uploads, file)
      return true
    } catch (error) {
      // Another file of the image may be intact.
      if (!(error instanceof RestError)) throw error
    }
  }
  return false
}

async function copyVersion(uploads: UploadFiles, file: string, others: readonly string[]): Promise<boolean> {
  const extension = extname(file)
  const version = others.find((other) => !isSize(other) && extname(other) === extension)
  if (version === undefined || !formatOf(extension.slice(1).toLowerCase())) return false
  await replaceFile(join(uploads.folder, version), uploads, file)
  return true
}
