import type { Metadata } from 'sharp'

export type CopyFormat = 'avif' | 'webp'

/** Largest file that is converted, in bytes. */
export const LARGEST_IMAGE = 40 * 1024 * 1024
/** Pixel limit: a file of a few kilobytes can decompress to gigabytes. */
const MAX_PIXELS = 50_000_000
/** WebP has 14 bits for a side. */
const LONGEST_WEBP_SIDE = 16_383
const TIMEOUT_SECONDS = 60

/**
 * Converts a still JPEG, PNG or GIF to AVIF or WebP, oriented upright and in sRGB or its own color profile.
 *
 * @param quality 1 to 100, on the scale of JPEG and WebP
 * @returns `null` if it is not converted: animated, empty, too large, or not smaller than the original
 * @throws Error if the file is damaged
 */
export async function copyImage(bytes: Buffer, format: CopyFormat, quality: number): Promise<Buffer | null> {
  if (bytes.length === 0 || bytes.length > LARGEST_IMAGE || isAnimatedPng(bytes)) return null
  const { default: sharp } = await import('sharp')
  // Reads only the header; oversized images are never decoded.
  const metadata = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (!isConvertible(metadata, format)) return null
  const image = sharp(bytes, { failOn: 'error', limitInputPixels: MAX_PIXELS }).timeout({ seconds: TIMEOUT_SECONDS })
  const upright = image.autoOrient()
  const colored = hasWideGamut(metadata) ? upright.keepIccProfile() : upright.toColorspace('srgb')
  const drawn = metadata.isPalette === true || metadata.format === 'gif'
  const copy =
    format === 'avif'
      ? // AVIF needs lower values for the same quality: sharp's defaults are 50 and 80. Higher effort takes many seconds.
        colored.avif({ quality: Math.max(1, Math.round((quality * 50) / 80)), effort: 2 })
      : colored.webp({ quality, nearLossless: drawn, smartSubsample: !drawn })
  const made = await copy.toBuffer()
  return made.length < bytes.length ? made : null
}

function isConvertible(metadata: Metadata, format: CopyFormat): boolean {
  const { width, height, pages = 1 } = metadata
  if (metadata.format !== 'jpeg' && metadata.format !== 'png' && metadata.format !== 'gif') return false
  if (pages > 1 || width * height > MAX_PIXELS) return false
  return format === 'avif' || Math.max(width, height) <= LONGEST_WEBP_SIDE
}

/** Whether the image has colors outside sRGB. CMYK images are converted to sRGB. */
function hasWideGamut({ icc, space }: Metadata): boolean {
  // Names in a profile are ASCII or UTF-16.
  return icc !== undefined && space === 'srgb' && !icc.toString('latin1').replaceAll('\0', '').includes('sRGB')
}

/** APNG: a chunk `acTL` before the image data, which sharp ignores (PNG specification 3, 11.3.6.1). */
function isAnimatedPng(bytes: Buffer): boolean {
  if (bytes.readUInt32BE(0) !== 0x89504e47) return false
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'acTL') return true
    if (type === 'IDAT') return false
  }
  return false
}
