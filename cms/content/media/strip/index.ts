import { fileRejected } from '../errors.ts'
import { stripAvif } from './avif.ts'
import { stripGif } from './gif.ts'
import { stripJpeg, stripPrivate } from './jpeg.ts'
import { stripPng, withoutTexts } from './png.ts'
import { stripWebp } from './webp.ts'

const STRIPPERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  jpeg: stripJpeg,
  png: stripPng,
  gif: stripGif,
  webp: stripWebp,
  avif: stripAvif,
}

/**
 * Removes everything from an image that is not part of the picture: camera and location, thumbnails, comments, and trailing data, in which
 * files can be hidden. Pixels, color profiles and animations are unchanged. Unknown formats are returned unchanged.
 * @param format sharp's name: `jpeg`, `png`, `gif`, `webp`, `avif`
 * @throws RestError `damaged` for a file that violates its format
 */
export function stripMetadata(format: string, bytes: Buffer): Buffer {
  const strip = STRIPPERS[format]
  return strip ? damagedIfShort(strip, bytes) : bytes
}

/**
 * Like {@link stripMetadata}, but a JPEG without a location keeps its Exif, XMP and IPTC data, and so mostly every byte.
 * @throws RestError `damaged` for a file that violates its format
 */
export function stripPrivateMetadata(format: string, bytes: Buffer): Buffer {
  return format === 'jpeg' ? damagedIfShort(stripPrivate, bytes) : stripMetadata(format, bytes)
}

/**
 * The part of an image that is safe to decode: a small file with many compressed texts would occupy a decoder for minutes.
 * @throws RestError `damaged` for a file that violates its format
 */
export function readablePart(format: string, bytes: Buffer): Buffer {
  return format === 'png' ? damagedIfShort(withoutTexts, bytes) : bytes
}

function damagedIfShort(work: (bytes: Buffer) => Buffer, bytes: Buffer): Buffer {
  try {
    return work(bytes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw fileRejected('damaged', 'The image is damaged or incomplete.')
  }
}
