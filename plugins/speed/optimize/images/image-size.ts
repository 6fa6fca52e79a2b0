import { Parser } from 'htmlparser2'
import type { LocalFile } from '../files/local-files.ts'

/** Intrinsic size of an image, in CSS pixels. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

const LONGEST_SIDE = 32_767
/** Bytes of an SVG that are read for its root element. */
const DRAWING_HEAD = 65_536

/**
 * The intrinsic size of an image, with Exif orientation applied; for SVG from the root element. `undefined` if it is
 * not an image or has no intrinsic size.
 */
export async function readImageSize(file: LocalFile): Promise<ImageSize | undefined> {
  if (file.size === 0) return undefined
  if (file.name.endsWith('.svg')) return sizeOfDrawing((await file.read()).toString('utf8', 0, DRAWING_HEAD))
  const { default: sharp } = await import('sharp')
  // With a path, only the header is read.
  const metadata = await sharp(file.path ?? (await file.read()), { limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  // Such dimensions are implausible.
  if (!metadata || metadata.width > LONGEST_SIDE || metadata.height > LONGEST_SIDE) return undefined
  const { width, height } = metadata.autoOrient
  return { width, height }
}

function sizeOfDrawing(svg: string): ImageSize | undefined {
  let size: ImageSize | undefined
  let hasRoot = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (hasRoot) return
        hasRoot = true
        if (name === 'svg') size = sizeOfRoot(attributes)
      },
    },
    { xmlMode: true },
  )
  // Only the root element matters.
  parser.end(svg)
  return size
}

function sizeOfRoot(attributes: Readonly<Record<string, string>>): ImageSize | undefined {
  const [, , boxWidth = 0, boxHeight = 0] = (attributes.viewBox ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const hasBox = boxWidth > 0 && boxHeight > 0
  const width = pixels(attributes.width)
  const height = pixels(attributes.height)
  if (width && height) return { width, height }
  if (!hasBox) return undefined
  if (width) return { width, height: Math.round((width * boxHeight) / boxWidth) }
  if (height) return { width: Math.round((height * boxWidth) / boxHeight), height }
  return { width: Math.round(boxWidth), height: Math.round(boxHeight) }
}

function pixels(length: string | undefined): number | undefined {
  const number = /^\s*(\d+(?:\.\d+)?)(?:px)?\s*$/.exec(length ?? '')?.[1]
  return number ? Math.round(Number(number)) || undefined : undefined
}
