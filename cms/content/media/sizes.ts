import type { Hooks } from '../../../core/hooks/types.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import { constrained, type Dimensions, dimensionsOf, IMAGE_SIZES, type SizeRule } from './dimensions.ts'
import type { ImageMeta } from './exif.ts'
import { decoded, type Format, open, type SafeImage, written } from './image.ts'
import { replaceFile } from './place.ts'
import type { UploadFiles } from './upload-files.ts'

/** WordPress's `_wp_attachment_metadata` of an image. */
export interface ImageMetadata {
  readonly [key: string]: JsonValue
  readonly width: number
  readonly height: number
  /** Below the uploads folder. */
  readonly file: string
  readonly filesize: number
  readonly sizes: Readonly<Record<string, SizeMetadata>>
  readonly image_meta: ImageMeta
}

export interface SizeMetadata {
  readonly [key: string]: JsonValue
  readonly file: string
  readonly width: number
  readonly height: number
  readonly 'mime-type': string
  readonly filesize: number
}

/** Larger images are scaled down for visitors. */
const BIG = 2560
/** Maximum dimension of a size, regardless of filters. */
const LARGEST_SIDE = 10_000
const QUALITY: Readonly<Record<Format, number>> = { jpeg: 82, webp: 86, avif: 60, png: 100, gif: 100 }

/**
 * Generates the smaller sizes of an image, and a scaled version of a big one for visitors (`photo-scaled.jpg`), in the same folder. Never
 * enlarges. WordPress's `wp_create_image_subsizes`.
 * @param file of the image, below the uploads folder
 */
export async function makeSizes(
  image: SafeImage,
  file: string,
  { files, hooks, attachmentId }: { files: UploadFiles; hooks: Hooks; attachmentId: number },
): Promise<ImageMetadata> {
  const slash = file.lastIndexOf('/') + 1
  const dot = file.lastIndexOf('.')
  const [folder, base, extension] = [file.slice(0, slash), file.slice(slash, dot), file.slice(dot)]
  const mimeType = `image/${image.format}`
  const quality = hooks.applyFilters('wp_editor_set_quality', QUALITY[image.format], mimeType)

  const made: string[] = []
  async function write(suffix: string, size: Dimensions, crop: boolean): Promise<SizeMetadata> {
    const name = `${base}-${suffix}${extension}`
    const bytes = await resize(image, size, crop, quality)
    await replaceFile(bytes, files, folder + name)
    made.push(folder + name)
    return { file: name, width: size.width, height: size.height, 'mime-type': mimeType, filesize: bytes.length }
  }

  try {
    const metadata = await describe()
    const sizes: Record<string, SizeMetadata> = {}
    const rules = hooks.applyFilters('intermediate_image_sizes_advanced', sizesFor(image), metadata, attachmentId)
    for (const [name, rule] of Object.entries(rules)) {
      const size = isRule(rule) ? dimensionsOf(image, rule) : null
      if (size) sizes[name] = await write(`${size.width}x${size.height}`, size, rule.crop)
    }
    return { ...metadata, sizes }
  } catch (error) {
    await Promise.all(made.map((path) => files.remove(path)))
    throw error
  }

  async function describe(): Promise<ImageMetadata> {
    const { width, height, meta } = image
    const whole = { width, height, file, filesize: image.bytes.length, sizes: {}, image_meta: meta }
    const scaled = scaledDimensions(image, file, hooks, attachmentId)
    if (!scaled) return whole
    const shown = await write('scaled', scaled, false)
    const original = { original_image: file.slice(slash) }
    return { ...whole, ...scaled, file: folder + shown.file, filesize: shown.filesize, ...original }
  }
}

/** PNGs are not scaled, because their sizes are often larger than the original; neither are animations, because sizes are still images. */
function scaledDimensions(image: SafeImage, file: string, hooks: Hooks, attachmentId: number): Dimensions | null {
  if (image.format === 'png' || image.format === 'gif' || image.frames > 1) return null
  const { width, height } = image
  const threshold = hooks.applyFilters('big_image_size_threshold', BIG, [width, height], file, attachmentId)
  if (threshold === false || threshold < 1 || (width <= threshold && height <= threshold)) return null
  return constrained(image, { width: threshold, height: threshold })
}

/** Sizes are still images, which browsers would choose instead of an animation. For GIFs, no sizes are offered. */
function sizesFor({ format, frames }: SafeImage): Readonly<Record<string, SizeRule>> {
  return frames > 1 && format !== 'gif' ? {} : IMAGE_SIZES
}

function isRule({ width, height }: SizeRule): boolean {
  const isSide = (side: number) => Number.isInteger(side) && side >= 0 && side <= LARGEST_SIDE
  return isSide(width) && isSide(height) && width + height > 0
}

/** In sRGB; without metadata if the image has none. */
async function resize(image: SafeImage, size: Dimensions, crop: boolean, quality: number): Promise<Buffer> {
  const smaller = (await open(image.bytes)).resize({ ...size, fit: crop ? 'cover' : 'fill' })
  if (image.keepsMetadata) smaller.keepExif().keepXmp()
  return decoded(written(smaller, image.format, quality, image.hasPalette).toBuffer())
}
