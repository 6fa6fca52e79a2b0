import type { ImageSize, MediaDetails } from '../../content/types.ts'
import { asciiUrl } from '../text.ts'

/** Attributes of an `<img>`. */
export interface TemplateImage {
  readonly src: string
  readonly srcset: string
  readonly sizes: string
  readonly width: number
  readonly height: number
  readonly alt: string
}

/** Wider files are not used in pages (WordPress's `max_srcset_image_width`). */
const WIDEST = 2048

/**
 * An image with all sizes of the same aspect ratio, for `srcset`.
 * @param preferred names of fallback sizes, best first
 */
export function toImage(details: MediaDetails, preferred: readonly string[], sizes: string): TemplateImage | undefined {
  const full: ImageSize = details.sizes.full ?? { ...details, mimeType: '' }
  const chosen = preferred.map((name) => details.sizes[name]).find((size) => size !== undefined) ?? full
  if (chosen.width < 1 || chosen.height < 1) return undefined
  const fitting = [...Object.values(details.sizes), full]
    .filter((size) => sameShape(size, chosen) && (size.width <= WIDEST || size === chosen))
    .sort((a, b) => a.width - b.width)
  // A space would end the URL in a `srcset`.
  const candidates = new Map(fitting.map((size) => [size.width, `${asciiUrl(size.url)} ${size.width}w`]))
  return {
    src: chosen.url,
    srcset: candidates.size > 1 ? [...candidates.values()].join(', ') : '',
    sizes,
    width: chosen.width,
    height: chosen.height,
    alt: details.alt,
  }
}

/** The logo of the site, as high as the header. */
export function toLogo(details: MediaDetails): TemplateImage | undefined {
  return toImage(details, ['medium', 'full'], '16rem')
}

/** A profile picture, as small as WordPress's thumbnails. */
export function toPortrait(details: MediaDetails): TemplateImage | undefined {
  return toImage(details, ['thumbnail', 'medium', 'full'], '4rem')
}

/** Sizes are rounded to whole pixels (WordPress's `wp_image_matches_ratio`). */
function sameShape(a: ImageSize, b: ImageSize): boolean {
  const [small, large] = a.width < b.width ? [a, b] : [b, a]
  return small.width > 0 && Math.abs((large.height * small.width) / large.width - small.height) <= 1
}
