import { fileRefused } from '../refusals.ts'
import { stripGif } from './gif.ts'
import { stripJpeg } from './jpeg.ts'
import { stripPng } from './png.ts'
import { stripWebp } from './webp.ts'

const STRIPPERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  jpeg: stripJpeg,
  png: stripPng,
  gif: stripGif,
  webp: stripWebp,
}

/**
 * An image without what is no part of the picture: camera and place, thumbnails, comments, and whatever was hung on
 * behind its end, which is where disguised files hide. Not a pixel changes; colour profiles and animations stay.
 * Formats that are not known here come back as they are.
 * @param format sharp's name: `jpeg`, `png`, `gif`, `webp`
 * @throws RestError `damaged` for a file that does not keep to its format
 */
export function stripMetadata(format: string, bytes: Buffer): Buffer {
  const strip = STRIPPERS[format]
  if (!strip) return bytes
  try {
    return strip(bytes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw fileRefused('damaged', 'The image is damaged or cut off: it ends before it should.')
  }
}
