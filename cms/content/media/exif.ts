import { sanitizeTextField } from '../sanitize.ts'

/** The Exif data of a photo that WordPress stores (`wp_read_image_metadata`); text, as in its REST API. Never contains the location. */
export interface ImageMeta {
  readonly [key: string]: string | string[]
  readonly aperture: string
  readonly credit: string
  readonly camera: string
  readonly caption: string
  /** Seconds since 1970; the camera's clock is read as UTC. */
  readonly created_timestamp: string
  readonly copyright: string
  /** Millimeters. */
  readonly focal_length: string
  readonly iso: string
  /** Seconds. */
  readonly shutter_speed: string
  readonly title: string
  readonly orientation: string
  readonly keywords: string[]
}

export const NO_IMAGE_META: ImageMeta = {
  aperture: '0',
  credit: '',
  camera: '',
  caption: '',
  created_timestamp: '0',
  copyright: '',
  focal_length: '0',
  iso: '0',
  shutter_speed: '0',
  title: '',
  orientation: '0',
  keywords: [],
}

/** Tags of TIFF 6.0 and Exif 2.32. The location directory (0x8825) is not included. */
const TAG = {
  description: 0x010e,
  model: 0x0110,
  orientation: 0x0112,
  artist: 0x013b,
  copyright: 0x8298,
  exposureTime: 0x829a,
  fNumber: 0x829d,
  exif: 0x8769,
  iso: 0x8827,
  digitized: 0x9004,
  focalLength: 0x920a,
}

const SIZES: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8 }
const LONGEST_TEXT = 2000

/** Reads an Exif block; damaged parts are ignored. */
export function readImageMeta(exif: Buffer | undefined): ImageMeta {
  if (!exif) return NO_IMAGE_META
  try {
    return readBlock(exif)
  } catch (error) {
    if (error instanceof RangeError) return NO_IMAGE_META
    throw error
  }
}

type Value = string | number

function readBlock(exif: Buffer): ImageMeta {
  const tiff = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif
  const order = tiff.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return NO_IMAGE_META
  const read = reader(tiff, order === 'II')
  const main = readDirectory(tiff, read, read.long(4))
  const below = main.get(TAG.exif)
  const all = new Map([...main, ...(typeof below === 'number' ? readDirectory(tiff, read, below) : [])])
  const text = (tag: number) => plain(all.get(tag))
  const number = (tag: number) => String(Number(all.get(tag) ?? 0) || 0)
  return {
    aperture: number(TAG.fNumber),
    credit: text(TAG.artist),
    camera: text(TAG.model),
    caption: text(TAG.description),
    created_timestamp: String(timestamp(text(TAG.digitized))),
    copyright: text(TAG.copyright),
    focal_length: number(TAG.focalLength),
    iso: number(TAG.iso),
    shutter_speed: number(TAG.exposureTime),
    title: '',
    orientation: number(TAG.orientation),
    keywords: [],
  }
}

interface Reader {
  short(at: number): number
  long(at: number): number
}

function reader(tiff: Buffer, isLittle: boolean): Reader {
  return {
    short: (at) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)),
    long: (at) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at)),
  }
}

/** The first value of each entry. */
function readDirectory(tiff: Buffer, read: Reader, at: number): Map<number, Value> {
  const values = new Map<number, Value>()
  const count = Math.min(read.short(at), 512)
  for (let index = 0; index < count; index++) {
    const entry = at + 2 + index * 12
    const type = read.short(entry + 2)
    const length = read.long(entry + 4)
    const size = (SIZES[type] ?? 0) * length
    if (size === 0) continue
    const value = readValue(tiff, read, type, size > 4 ? read.long(entry + 8) : entry + 8, length)
    if (value !== undefined) values.set(read.short(entry), value)
  }
  return values
}

function readValue(tiff: Buffer, read: Reader, type: number, at: number, length: number): Value | undefined {
  if (type === 2) return tiff.toString('utf8', at, at + Math.min(length, LONGEST_TEXT))
  if (type === 3) return read.short(at)
  if (type === 4) return read.long(at)
  if (type !== 5) return undefined
  const [above, below] = [read.long(at), read.long(at + 4)]
  return below === 0 ? 0 : Number((above / below).toPrecision(6))
}

/** Text out of a file goes into titles and captions: no tags, no control characters. */
function plain(value: Value | undefined): string {
  if (typeof value !== 'string') return ''
  const [text = ''] = value.split('\0', 1)
  return sanitizeTextField(text.toWellFormed())
}

/** `2026:01:31 12:00:00` */
function timestamp(text: string): number {
  const [, date, time] = /^(\d{4}:\d\d:\d\d) (\d\d:\d\d:\d\d)/.exec(text) ?? []
  const at = Date.parse(`${date?.replaceAll(':', '-')}T${time}Z`)
  return Number.isFinite(at) ? at / 1000 : 0
}
