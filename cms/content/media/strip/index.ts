import { fileRefused } from '../refusals.ts'
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
 * An image without what is no part of the picture: camera and place, thumbnails, comments, and whatever was hung on
 * behind its end, which is where disguised files hide. Not a pixel changes; color profiles and animations stay.
 * Formats that are not known here come back as they are.
 * @param format sharp's name: `jpeg`, `png`, `gif`, `webp`, `avif`
 * @throws RestError `damaged` for a file that does not keep to its format
 */
export function stripMetadata(format: string, bytes: Buffer): Buffer {
  const strip = STRIPPERS[format]
  return strip ? damagedIfShort(strip, bytes) : bytes
}

/**
 * As {@link stripMetadata}, but a JPEG that does not tell where it was taken keeps its Exif, XMP and IPTC, and so mostly
 * every byte.
 * @throws RestError `damaged` for a file that does not keep to its format
 */
export function stripPrivateMetadata(format: string, bytes: Buffer): Buffer {
  return format === 'jpeg' ? damagedIfShort(stripPrivate, bytes) : stripMetadata(format, bytes)
}

/**
 * What of an image may be read at all: a small file with many compressed texts keeps its reader busy for minutes.
 * @throws RestError `damaged` for a file that does not keep to its format
 */
export function readablePart(format: string, bytes: Buffer): Buffer {
  return format === 'png' ? damagedIfShort(withoutTexts, bytes) : bytes
}

function damagedIfShort(work: (bytes: Buffer) => Buffer, bytes: Buffer): Buffer {
  try {
    return work(bytes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw fileRefused('damaged', 'The image is damaged or incomplete.')
  }
}
