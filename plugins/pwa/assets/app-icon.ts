import type { Sharp } from 'sharp'
import { IconError } from './icon-error.ts'

/** Against decompression bombs. */
const MAX_PIXELS = 50_000_000
const MAX_BYTES = 40 * 1024 * 1024
/** Seconds for decoding. */
const TIMEOUT = 30
/** Side of the square that all images are made from. The largest image shows it at 764 pixels. */
const SIDE = 1024
/** Smallest icon that browsers accept for an app. Does not apply to SVG. */
const SMALLEST = 144
/** Default DPI of librsvg. sharp accepts 1 to 100,000. */
const DENSITY = 72
/** Alpha (0–255) from which a pixel counts as visible. Anything fainter is a compression artifact. */
const VISIBLE = 16
const READABLE = new Set(['png', 'jpeg', 'webp', 'heif', 'svg', 'gif'])

/** The decoded app icon: upright, sRGB, centered in a transparent square. */
export interface AppIcon {
  /** Whether no pixel is transparent. */
  readonly isOpaque: boolean
  /** Distance of the farthest visible pixel from the center; 1 is half a side, √2 a corner. */
  readonly radius: number
  /** A resized RGBA copy. */
  scaled(side: number): Sharp
}

/**
 * Reads an icon from PNG, JPEG, WebP, AVIF, GIF (first frame) or SVG.
 * @throws IconError
 */
export async function readAppIcon(bytes: Uint8Array): Promise<AppIcon> {
  if (bytes.length === 0) throw new IconError('damaged', 'The app icon file is empty.')
  if (bytes.length > MAX_BYTES) throw new IconError('image_too_large', 'The app icon must not be larger than 40 MB.')
  const { default: sharp } = await import('sharp')
  const options = { limitInputPixels: MAX_PIXELS, failOn: 'error', density: await densityFor(bytes) } as const
  const { data, info } = await sharp(bytes, options)
    .timeout({ seconds: TIMEOUT })
    .autoOrient()
    .resize(SIDE, SIDE, { fit: 'contain', background: 'transparent' })
    .toColorspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw new IconError('damaged', 'The app icon is damaged or cannot be read.')
    })
  if (info.channels !== 4) throw new IconError('damaged', 'The color space of the app icon is not supported.')
  const raw = { width: SIDE, height: SIDE, channels: info.channels }
  const visible = visiblePart(data)
  if (visible.radius === 0) throw new IconError('empty', 'The app icon is completely transparent.')
  return { ...visible, scaled: (side) => sharp(data, { raw }).resize(side, side) }
}

/** Reads only the header, so that an image that is too large is never decoded. */
async function densityFor(bytes: Uint8Array): Promise<number> {
  const { default: sharp } = await import('sharp')
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  if (!header) throw new IconError('damaged', 'The app icon is damaged or not an image.')
  const { format, width, height, compression } = header
  if (!READABLE.has(format) || (format === 'heif' && compression !== 'av1'))
    throw new IconError('file_type', 'The app icon must be a PNG, JPEG, WebP, AVIF, GIF, or SVG.')
  const longest = Math.max(width, height)
  if (format === 'svg') return Math.min(Math.max((DENSITY * SIDE) / longest, 1), 100_000)
  if (width * height > MAX_PIXELS)
    throw new IconError('image_too_large', `The app icon is ${width} × ${height} pixels, which is too large.`)
  if (longest < SMALLEST)
    throw new IconError(
      'too_small',
      `The app icon is ${width} × ${height} pixels, which is too small. Use at least 512 × 512.`,
    )
  return DENSITY
}

/** Scans the RGBA pixels of the square. */
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
