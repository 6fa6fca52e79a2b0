import type { Tag } from './html.ts'
import type { ShownImage } from './image-tag.ts'

/** WordPress's gallery block has three columns by default. */
const DEFAULT_COLUMNS = 3
/** The default theme shows at most five. */
const MOST_COLUMNS = 5
/** Themes show at most two columns on narrower screens, in pixels. */
const PHONE = 600
const PHONE_COLUMNS = 2

/** The gallery block that an image is in, as far as its `sizes` depend on it. */
export interface GalleryAround {
  readonly columns: number
  readonly isCropped: boolean
  readonly isWide: boolean
}

/** Whether a tag opens a gallery block. */
export const isGallery = ({ name, attributes }: Tag): boolean =>
  name === 'figure' && /(?:^|\s)wp-block-gallery(?:\s|$)/.test(attributes.class ?? '')

/** Whether an image is in a gallery block: only these have the attribute. */
export const isInGallery = ({ attributes }: Tag): boolean => attributes['data-id'] !== undefined

/** The gallery that `tags[at]` opens; `tags` are galleries and images in the order of the content. */
export function galleryAt(tags: readonly Tag[], at: number): GalleryAround {
  const names = tags[at]?.attributes.class ?? ''
  const columns = Number(/(?:^|\s)columns-([1-8])(?:\s|$)/.exec(names)?.[1] ?? DEFAULT_COLUMNS)
  const isDefault = /(?:^|\s)columns-default(?:\s|$)/.test(names)
  return {
    columns: isDefault ? Math.max(1, countImages(tags, at, columns)) : Math.min(columns, MOST_COLUMNS),
    isCropped: /(?:^|\s)is-cropped(?:\s|$)/.test(names),
    isWide: /(?:^|\s)align(?:wide|full)(?:\s|$)/.test(names),
  }
}

/** Images of the gallery, up to `most`: fewer than the default columns fill the row. */
function countImages(tags: readonly Tag[], at: number, most: number): number {
  let images = 0
  for (let next = at + 1; images < most; next++) {
    const tag = tags[next]
    if (!tag || isGallery(tag)) break
    if (isInGallery(tag)) images++
  }
  return images
}

/** `sizes` of an image in a gallery: a column instead of the width of the content. */
export function gallerySizes({ width, height }: ShownImage, { columns, isCropped, isWide }: GalleryAround): string {
  // A landscape that fills a square is as high as its column is wide.
  const enlarged = isCropped ? Math.max(1, width / height) : 1
  const share = (of: number) => `${Math.ceil((100 * enlarged) / of)}vw`
  const phone = `(max-width: ${PHONE}px) ${share(Math.min(columns, PHONE_COLUMNS))}`
  if (isWide) return `${phone}, ${share(columns)}`
  return `${phone}, (max-width: ${width}px) ${share(columns)}, ${Math.ceil((width * enlarged) / columns)}px`
}
