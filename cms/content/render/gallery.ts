import { escapeHtml } from '../../../core/http/escape-html.ts'
import type { Post } from '../types.ts'
import { type ListParts, listAttachments, wholeNumber } from './attachment-list.ts'
import type { Attachment } from './attachments.ts'
import { imageTag } from './image-tag.ts'
import type { ShortcodeHandler } from './types.ts'

/**
 * `[gallery ids="4,5" columns="3" size="thumbnail" link="file"]`: attachments as WordPress's HTML5 gallery.
 * Without IDs, it shows the images that were uploaded to the post.
 */
export function createGallery(parts: ListParts, link: (post: Post) => string): ShortcodeHandler {
  return async ({ attributes }, post) => {
    const images = await listAttachments(attributes, post, 'image', parts)
    if (images.length === 0) return ''
    const columns = Math.min(Math.max(wholeNumber(attributes.columns) ?? 3, 0), 99)
    const size = (attributes.size ?? 'thumbnail').replace(/[^\w-]/g, '') || 'thumbnail'
    const owner = wholeNumber(attributes.id) ?? post.id
    const selector = `gallery-${post.id}-${images[0]?.post.id ?? 0}-${images.length}`
    const items = images.map((image) => item(image, { size, selector, target: attributes.link, link }))
    const classes = `gallery galleryid-${owner} gallery-columns-${columns} gallery-size-${size}`
    return `<div id="${selector}" class="${classes}">${items.join('')}</div>\n`
  }
}

function item(
  image: Attachment,
  options: { size: string; selector: string; target: string | undefined; link: (post: Post) => string },
): string {
  const { post, details } = image
  const caption = post.excerpt.trim()
  const captionId = `${options.selector}-${post.id}`
  const picture = imageTag(image, options.size, caption === '' ? {} : { 'aria-describedby': captionId })
  const url = options.target === 'file' ? details.url : options.link(post)
  const shown = options.target === 'none' ? picture : `<a href='${escapeHtml(url)}'>${picture}</a>`
  const orientation = details.height > details.width ? 'portrait' : 'landscape'
  const figcaption =
    caption === ''
      ? ''
      : `<figcaption class="wp-caption-text gallery-caption" id="${captionId}">${caption}</figcaption>`
  return `<figure class="gallery-item"><div class="gallery-icon ${orientation}">${shown}</div>${figcaption}</figure>`
}

const OPENING = '<div id="gallery-'

/**
 * Completes the galleries in content with what depends on the content as a whole: unique ids, and no `loading="lazy"` on the first image,
 * which is visible immediately.
 * @param html content after its shortcodes were run
 */
export function finishGalleries(html: string): string {
  const [before = '', ...galleries] = html.split(OPENING)
  const seen = new Map<string, number>()
  const finished = galleries.map((part, at) => {
    const shown = at === 0 && !/<img/i.test(before) ? part.replace(' loading="lazy"', '') : part
    const name = /^(\d+-\d+-\d+)" class="gallery /.exec(part)?.[1]
    if (name === undefined) return shown
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    if (count === 1) return shown
    // Without a hyphen, which precedes the ID of an image.
    return `${name}_${count}${shown.slice(name.length)}`.replaceAll(`"gallery-${name}-`, `"gallery-${name}_${count}-`)
  })
  return [before, ...finished].join(OPENING)
}

/**
 * Attachments that the galleries and playlists of a text name. One walk over the text: a regular expression for the whole
 * shortcode would look for its attributes again behind each `[gallery` that is never closed.
 * @param source content as it was written, its shortcodes not run
 */
export function galleryIds(source: string): number[] {
  if (!source.includes('[')) return []
  // Text after the last bracket contains no complete shortcode.
  const shortcodes = source.split(']').slice(0, -1)
  return shortcodes
    .flatMap((text) => /\[(?:gallery|playlist)\b(.*)/s.exec(text)?.[1] ?? [])
    .flatMap((attributes) => /\b(?:ids|include)=["']?([\d,\s]+)/.exec(attributes)?.[1]?.split(',') ?? [])
    .map(Number)
    .filter((id) => id > 0)
}
