import { Parser } from 'htmlparser2'
import type { LocalFile } from '../files/local-files.ts'

/** How large an image is shown where nothing else is said, in CSS pixels. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

const LONGEST_SIDE = 32_767
/** Of a drawing so much is read as holds its root element. */
const DRAWING_HEAD = 65_536

/**
 * The size a browser gives an image: upright as its Exif data says; of a drawing what its root element says.
 * `undefined` for what is no image or has no size of its own.
 */
export async function readImageSize(file: LocalFile): Promise<ImageSize | undefined> {
  if (file.size === 0) return undefined
  if (file.name.endsWith('.svg')) return sizeOfDrawing((await file.read()).toString('utf8', 0, DRAWING_HEAD))
  const { default: sharp } = await import('sharp')
  // From a path it reads the header only, however large the file is.
  const metadata = await sharp(file.path ?? (await file.read()), { limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  // Such a file is no picture of a page, and its numbers are likely made up.
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
  // What comes after the root's own tag says nothing of its size.
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
