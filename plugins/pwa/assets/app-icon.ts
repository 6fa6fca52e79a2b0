import type { Sharp } from 'sharp'
import { IconRefused } from './icon-refused.ts'

/** A file of some kilobytes can unpack to gigabytes. */
const MAX_PIXELS = 50_000_000
const MAX_BYTES = 40 * 1024 * 1024
/** Seconds that reading it may take. */
const TIMEOUT = 30
/** Side of the square that everything is made from; the largest file shows it at 764 pixels. */
const SIDE = 1024
/** The smallest that browsers take for an app; less would only be enlarged. Drawings have any size. */
const SMALLEST = 144
/** librsvg draws at 72 dots an inch unless it is told otherwise; sharp takes 1 to 100,000. */
const DENSITY = 72
/** Of 255; fainter is what lossy formats leave behind. */
const VISIBLE = 16
const READABLE = new Set(['png', 'jpeg', 'webp', 'heif', 'svg', 'gif'])

/** The icon of the app, read once: upright, sRGB, in the middle of a transparent square. */
export interface AppIcon {
  /** Whether nothing shines through. */
  readonly isOpaque: boolean
  /** How far its farthest visible pixel is from the middle; 1 is half a side, √2 a corner. */
  readonly radius: number
  /** A copy with that many pixels a side, RGBA. */
  scaled(side: number): Sharp
}

/**
 * Reads an icon from PNG, JPEG, WebP, AVIF, GIF (first frame) or SVG.
 * @throws IconRefused
 */
export async function readAppIcon(bytes: Uint8Array): Promise<AppIcon> {
  if (bytes.length === 0) throw new IconRefused('damaged', 'The file of the app icon is empty.')
  if (bytes.length > MAX_BYTES) throw new IconRefused('image_too_large', 'The app icon must not be larger than 40 MiB.')
  const { default: sharp } = await import('sharp')
  const options = { limitInputPixels: MAX_PIXELS, failOn: 'error', density: await densityFor(bytes) } as const
  const { data, info } = await sharp(bytes, options)
    .timeout({ seconds: TIMEOUT })
    .autoOrient()
    .resize(SIDE, SIDE, { fit: 'contain', background: 'transparent' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw new IconRefused('damaged', 'The app icon is damaged or cannot be read.')
    })
  if (info.channels !== 4) throw new IconRefused('damaged', 'The app icon has colors that cannot be read.')
  const raw = { width: SIDE, height: SIDE, channels: info.channels }
  const visible = visiblePart(data)
  if (visible.radius === 0) throw new IconRefused('empty', 'Nothing of the app icon is visible.')
  return { ...visible, scaled: (side) => sharp(data, { raw }).resize(side, side) }
}

/** Looks at the header only: what is too large is never unpacked. */
async function densityFor(bytes: Uint8Array): Promise<number> {
  const { default: sharp } = await import('sharp')
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  if (!header) throw new IconRefused('damaged', 'The app icon is damaged, or no image.')
  const { format, width, height, compression } = header
  if (!READABLE.has(format) || (format === 'heif' && compression !== 'av1'))
    throw new IconRefused('file_type', 'The app icon must be a PNG, JPEG, WebP, AVIF, GIF or SVG.')
  const longest = Math.max(width, height)
  if (format === 'svg') return Math.min(Math.max((DENSITY * SIDE) / longest, 1), 100_000)
  if (width * height > MAX_PIXELS)
    throw new IconRefused('image_too_large', `The app icon has ${width} × ${height} pixels; that is too many.`)
  if (longest < SMALLEST)
    throw new IconRefused('too_small', `The app icon has ${width} × ${height} pixels; 512 × 512 is right.`)
  return DENSITY
}

/** Walks over the RGBA pixels of the square. */
function visiblePart(pixels: Buffer): Pick<AppIcon, 'isOpaque' | 'radius'> {
  const middle = SIDE / 2
  let isOpaque = true
  let farthest = 0
  for (let y = 0; y < SIDE; y++) {
    const down = Math.max(middle - y, y + 1 - middle)
    for (let x = 0; x < SIDE; x++) {
      const alpha = pixels[(y * SIDE + x) * 4 + 3] ?? 0
      if (alpha < 255) isOpaque = false
      if (alpha < VISIBLE) continue
      const across = Math.max(middle - x, x + 1 - middle)
      farthest = Math.max(farthest, across * across + down * down)
    }
  }
  return { isOpaque, radius: Math.sqrt(farthest) / middle }
}
