import type { Metadata, Sharp } from 'sharp'
import { RestError } from '../../../core/errors.ts'
import type { Dimensions } from './dimensions.ts'
import { fileRejected } from './errors.ts'
import { type ImageMeta, readImageMeta } from './exif.ts'
import { readablePart, stripPrivateMetadata } from './strip/index.ts'

/** Pixels of one frame. A file of a few kilobytes can expand to gigabytes. */
export const MAX_PIXELS = 120_000_000
/** The same for formats that are decoded completely in memory: four bytes per pixel. */
const MAX_PIXELS_AT_ONCE = 50_000_000
/** Time limit for one image, in seconds. */
export const TIMEOUT = 60
/** JPEG quality of an image that was rotated upright, if the file itself is displayed. */
const UPRIGHT_QUALITY = 92

/** sharp's names of the formats, by extension. */
const FORMATS: Readonly<Record<string, Format>> = {
  ...{ jpg: 'jpeg', jpeg: 'jpeg', jpe: 'jpeg' },
  ...{ png: 'png', gif: 'gif', webp: 'webp', avif: 'avif' },
}

export type Format = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif'

/** An image that was decoded and sanitized for visitors. */
export interface SafeImage extends Dimensions {
  readonly bytes: Buffer
  readonly format: Format
  /** More than 1 if it is animated. */
  readonly frames: number
  /** Whether its colors come from a palette. */
  readonly hasPalette: boolean
  readonly meta: ImageMeta
  /** Whether the file still has its metadata, so that its sizes get it too. */
  readonly keepsMetadata: boolean
}

/** The format of an image that is processed, by its extension. */
export function formatOf(extension: string): Format | undefined {
  return Object.hasOwn(FORMATS, extension) ? FORMATS[extension] : undefined
}

/**
 * Validates an image and its dimensions, rotates it upright, and removes everything except the picture: location, thumbnails, comments,
 * trailing data. The pixels of an upright image are unchanged. An upright JPEG without a location keeps its Exif, XMP and IPTC data.
 * @param strips `false` keeps metadata, except for the texts of a PNG: an upright image then remains byte-identical
 * @throws RestError `damaged`, `image_too_large`
 */
export async function makeSafe(given: Buffer, format: Format, strips: boolean): Promise<SafeImage> {
  const bytes = readablePart(format, given)
  const metadata = await readHeader(bytes)
  const { width, height } = metadata.autoOrient
  if ((metadata.format === 'heif' ? 'avif' : metadata.format) !== format) throw damaged()
  const limit = isReadInStrips(format, metadata) ? MAX_PIXELS : MAX_PIXELS_AT_ONCE
  const [wide, high] = format === 'gif' ? screenOf(bytes) : [width, height]
  if (wide * high > limit) {
    const message = `The image is too large: it is ${wide} × ${high} pixels. The maximum is ${limit / 1_000_000} million pixels.`
    throw fileRejected('image_too_large', message)
  }
  // Reads it to the end, which a truncated image lacks.
  const whole = await open(bytes)
  await decoded(whole.resize({ width: 64, height: 64, fit: 'inside', withoutEnlargement: true }).raw().toBuffer())
  return {
    ...{ width, height, format },
    bytes: strips ? await withoutMetadata(bytes, format, metadata) : await uprightBytes(bytes, format, metadata),
    frames: metadata.pages ?? 1,
    hasPalette: metadata.isPalette === true,
    meta: upright(readImageMeta(metadata.exif)),
    keepsMetadata: !strips,
  }
}

async function readHeader(bytes: Buffer): Promise<Metadata> {
  const { default: sharp } = await import('sharp')
  return decoded(sharp(bytes, { limitInputPixels: false }).metadata())
}

/** The screen size that browsers use; sharp uses the frames if it is invalid. */
function screenOf(gif: Buffer): [width: number, height: number] {
  return [gif.readUInt16LE(6), gif.readUInt16LE(8)]
}

function isReadInStrips(format: Format, { isProgressive }: Metadata): boolean {
  return (format === 'jpeg' || format === 'png') && isProgressive !== true
}

/** An image for work on its first frame. */
export async function open(bytes: Buffer): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  return sharp(bytes, { failOn: 'error', limitInputPixels: MAX_PIXELS }).timeout({ seconds: TIMEOUT })
}

const isTurned = ({ orientation = 1 }: Metadata): boolean => orientation > 1

async function uprightBytes(bytes: Buffer, format: Format, metadata: Metadata): Promise<Buffer> {
  if (!isTurned(metadata)) return bytes
  const image = await open(bytes)
  return decoded(written(image.autoOrient().keepMetadata(), format, UPRIGHT_QUALITY).toBuffer())
}

async function withoutMetadata(bytes: Buffer, format: Format, metadata: Metadata): Promise<Buffer> {
  // Exif data is deeply nested in AVIF files.
  const isDeep = format === 'avif' && (metadata.exif !== undefined || metadata.xmp !== undefined)
  if (!isTurned(metadata) && !isDeep) return stripPrivateMetadata(format, bytes)
  const image = await open(bytes)
  return decoded(written(image.autoOrient().keepIccProfile(), format, UPRIGHT_QUALITY).toBuffer())
}

/**
 * Encodes an image in a format.
 * @param quality 1 to 100; ignored for PNG and GIF
 * @param hasPalette whether to limit the colors of a PNG like its original
 */
export function written(image: Sharp, format: Format, quality: number, hasPalette = false): Sharp {
  if (format === 'jpeg') return image.jpeg({ quality, progressive: true })
  if (format === 'png') return image.png({ compressionLevel: 9, palette: hasPalette })
  if (format === 'gif') return image.gif()
  // The best of AVIF takes many seconds for some bytes.
  return format === 'avif' ? image.avif({ quality, effort: 2 }) : image.webp({ quality })
}

/** Updates the orientation in the record. */
function upright(meta: ImageMeta): ImageMeta {
  return Number(meta.orientation) > 1 ? { ...meta, orientation: '1' } : meta
}

/** Converts errors of sharp to that of a damaged image. */
export async function decoded<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw error instanceof RestError ? error : damaged()
  }
}

function damaged(): RestError {
  return fileRejected('damaged', 'The image is damaged or incomplete.')
}
