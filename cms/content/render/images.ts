import { escapeHtml } from '../../../core/http/escape-html.ts'
import { createYield } from '../../threads/yielding.ts'
import { LARGE } from '../large-text/index.ts'
import type { MediaDetails } from '../types.ts'
import type { Attachment, Attachments } from './attachments.ts'
import { type GalleryAround, galleryAt, gallerySizes, isGallery, isInGallery } from './gallery-sizes.ts'
import { openingTags, openingTagsInPieces, type Tag } from './html.ts'
import { filesOf, responsiveAttributes, type ShownImage } from './image-tag.ts'
import { rememberEventually } from './remember.ts'

const findMedia = rememberEventually<Tag[]>(
  (html) => (html.length < LARGE ? mediaOf(openingTags(html)) : openingTagsInPieces(html).then(mediaOf)),
  (tags) => tags.length * 200,
)

function mediaOf(tags: readonly Tag[]): Tag[] {
  return tags.filter((tag) => tag.name === 'img' || tag.name === 'iframe' || isGallery(tag))
}

/**
 * Adds attributes for loading to images: `width`, `height`, `srcset` and `sizes` for attachments (class `wp-image-7`), `decoding` and
 * `loading` for all. Existing attributes are unchanged. WordPress's `wp_filter_content_tags`: as there, the first image of a content is not
 * lazy, since it is probably visible immediately.
 */
export function completeImages(html: string, attachments: Attachments): string | Promise<string> {
  // Without a promise, because most texts have no images, and each asynchronous callback is timed.
  const hasMedia = html.includes('<img') || html.includes('<iframe') || html.includes('<IMG')
  return hasMedia ? addAttributes(html, attachments) : html
}

async function addAttributes(html: string, attachments: Attachments): Promise<string> {
  const tags = await findMedia(html)
  const ids = tags.map(attachmentId).filter((id) => id > 0)
  const known: ReadonlyMap<number, Attachment> = ids.length > 0 ? await attachments.get([...new Set(ids)]) : new Map()
  let completed = ''
  let from = 0
  let isFirst = true
  const yieldTurn = createYield()
  let gallery: GalleryAround | undefined
  for (const [index, tag] of tags.entries()) {
    await yieldTurn()
    if (tag.name === 'figure') {
      gallery = galleryAt(tags, index)
      continue
    }
    const added =
      tag.name === 'img'
        ? imageAttributes(tag, known.get(attachmentId(tag))?.details, {
            isFirst,
            gallery: isInGallery(tag) ? gallery : undefined,
          })
        : frameAttributes(tag.attributes)
    if (tag.name === 'img') isFirst = false
    const at = tag.start + 1 + tag.name.length
    completed += html.slice(from, at)
    for (const [name, value] of Object.entries(added)) completed += ` ${name}="${escapeHtml(value)}"`
    from = at
  }
  return completed + html.slice(from)
}

function attachmentId({ attributes }: Tag): number {
  const id = /(?:^|\s)wp-image-(\d{1,9})(?:\s|$)/.exec(attributes.class ?? '')?.[1]
  return Number(id ?? 0)
}

/** The missing attributes of an image. */
function imageAttributes(
  tag: Tag,
  details: MediaDetails | undefined,
  { isFirst, gallery }: { readonly isFirst: boolean; readonly gallery: GalleryAround | undefined },
): Record<string, string> {
  const { src, width, height, srcset, decoding, loading } = tag.attributes
  const added: Record<string, string> = {}
  if (!src) return added
  const file = details && fileOf(details, src)
  const isSized = width !== undefined || height !== undefined
  const hasBoth = isSized ? Number(width) > 0 && Number(height) > 0 : file !== undefined && file.width > 0
  if (decoding === undefined) added.decoding = 'async'
  if (loading === undefined && hasBoth && !isFirst) added.loading = 'lazy'
  if (!details || !file) return added
  if (!isSized && file.width > 0 && file.height > 0) {
    added.width = String(file.width)
    added.height = String(file.height)
  }
  if (srcset === undefined) {
    const shown = {
      url: file.url,
      width: Number(width ?? 0) || file.width,
      height: Number(height ?? 0) || file.height,
    }
    const responsive = responsiveAttributes(details, shown)
    if (responsive) {
      added.srcset = responsive.srcset
      if (tag.attributes.sizes === undefined) added.sizes = gallery ? gallerySizes(shown, gallery) : responsive.sizes
    }
  }
  return added
}

/** The file of the attachment that an image shows, wherever its URL says the site is. */
function fileOf(details: MediaDetails, src: string): ShownImage | undefined {
  const path = src.split(/[?#]/, 1)[0] ?? ''
  const slash = details.file.lastIndexOf('/') + 1
  const folder = details.file.slice(0, slash)
  if (path.endsWith(`/${details.file}`)) return details
  return filesOf(details).find((size) => path.endsWith(`/${folder}${size.file}`))
}

function frameAttributes({ src, width, height, loading }: Readonly<Record<string, string>>): Record<string, string> {
  return src && width !== undefined && height !== undefined && loading === undefined ? { loading: 'lazy' } : {}
}
