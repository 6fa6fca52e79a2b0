import { escapeHtml } from '../../../core/http/escape-html.ts'
import type { ImageSize, MediaDetails } from '../types.ts'
import type { Attachment } from './attachments.ts'

/** WordPress's default sizes: how large the image may be, and whether exactly that part is cut out. */
const BOUNDS: Readonly<Record<string, { width: number; height: number }>> = {
  thumbnail: { width: 150, height: 150 },
  medium: { width: 300, height: 300 },
  medium_large: { width: 768, height: 0 },
  large: { width: 1024, height: 1024 },
}

/** Wider files are not candidates; WordPress's `max_srcset_image_width`. */
const MAX_SRCSET_WIDTH = 2048

export interface ShownImage {
  readonly url: string
  readonly width: number
  readonly height: number
}

/** The file for a size, or the entire image scaled down; WordPress's `image_downsize`. */
export function imageOfSize(details: MediaDetails, size: string): ShownImage {
  const exact = size === 'full' || !Object.hasOwn(details.sizes, size) ? undefined : details.sizes[size]
  if (exact) return exact
  const { url, width, height } = details
  const bounds = Object.hasOwn(BOUNDS, size) ? BOUNDS[size] : undefined
  if (!bounds || width < 1 || height < 1) return { url, width, height }
  const ratio = Math.min(1, bounds.width > 0 ? bounds.width / width : 1, bounds.height > 0 ? bounds.height / height : 1)
  return { url, width: Math.max(1, Math.round(width * ratio)), height: Math.max(1, Math.round(height * ratio)) }
}

/** The files of an image, the whole one last. */
export function filesOf(details: MediaDetails): ImageSize[] {
  const { full, ...others } = details.sizes
  return full ? [...Object.values(others), full] : Object.values(others)
}

/**
 * Candidates for `srcset` and the `sizes` that go with them, or `null` if there is no choice; WordPress's
 * `wp_calculate_image_srcset`: files of the same proportions, the one in `src` first.
 */
export function responsiveAttributes(
  details: MediaDetails,
  shown: ShownImage,
): { srcset: string; sizes: string } | null {
  if (shown.width < 1 || shown.height < 1) return null
  // The smaller files of an animated GIF stand still.
  if (shown.url === details.url && details.sizes.full?.mimeType === 'image/gif') return null
  const candidates = new Map<number, string>()
  const files = filesOf(details)
  const own = files.find((file) => file.url === shown.url)
  if (!own) return null
  for (const file of [own, ...files]) {
    if (candidates.has(file.width) || (file.width > MAX_SRCSET_WIDTH && file !== own)) continue
    if (sameProportions(shown, file)) candidates.set(file.width, file.url)
  }
  if (candidates.size < 2) return null
  const srcset = [...candidates].map(([width, url]) => `${url.replaceAll(' ', '%20')} ${width}w`).join(', ')
  return { srcset, sizes: `(max-width: ${shown.width}px) 100vw, ${shown.width}px` }
}

/** Whether two images have the same aspect ratio, within a pixel; WordPress's `wp_image_matches_ratio`. */
function sameProportions(one: ShownImage, other: ShownImage): boolean {
  const [small, large] = one.width <= other.width ? [one, other] : [other, one]
  if (large.width < 1 || large.height < 1) return false
  const ratio = Math.min(small.width / large.width, small.height / large.height)
  return (
    Math.abs(Math.round(large.width * ratio) - small.width) <= 1 &&
    Math.abs(Math.round(large.height * ratio) - small.height) <= 1
  )
}

/** An attachment as `<img>`; WordPress's `wp_get_attachment_image`. */
export function imageTag(
  { details }: Pick<Attachment, 'details'>,
  size: string,
  extra: Readonly<Record<string, string>> = {},
): string {
  const shown = imageOfSize(details, size)
  const attributes: Record<string, string | number> = {
    ...(shown.width > 0 && shown.height > 0 && { width: shown.width, height: shown.height }),
    src: shown.url,
    class: `attachment-${size} size-${size}`,
    alt: details.alt,
    decoding: 'async',
    loading: 'lazy',
    ...responsiveAttributes(details, shown),
    ...extra,
  }
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${escapeHtml(String(value))}"`)
  return `<img ${written.join(' ')} />`
}
