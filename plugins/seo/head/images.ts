import type { ExtensionHost, ImageSize, MediaDetails, Meta, PageContext } from 'pentad'
import { readImages, type TextImage } from '../text/images.ts'
import { readAddress } from './address.ts'

/** An image that stands for a page where it is shared. */
export interface SocialImage {
  readonly url: string
  /** Pixels and type are known of the site's own attachments only. */
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly type?: string | undefined
  readonly alt: string
}

/** Facebook and X show these, and nothing else. */
const TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])
/** As wide as they show it; more is only slower. */
const WIDTH = 1200
/** Pixels; Facebook shows no smaller ones, and in a text they are ornaments. */
const SMALLEST = 200
/** Characters of a text that are searched for its first image. */
const READ = 100_000

type Host = Pick<ExtensionHost, 'content' | 'site'>

/** An image that a field names: the id of an attachment, or an address. */
export async function imageOfField(host: Host, page: PageContext, text: string): Promise<SocialImage | undefined> {
  if (/^\d{1,9}$/.test(text)) return imageOfAttachment(host, page, Number(text))
  const url = text === '' ? undefined : readAddress(host.content.currentAddresses(text), host.site.url)
  return url === undefined ? undefined : { url, alt: '' }
}

/** The image of a post that is large enough: the featured one, the attachment itself, or the first of its text. */
export async function imageOfPost(host: Host, page: PageContext, meta: Meta): Promise<SocialImage | undefined> {
  const { post } = page
  if (!post) return undefined
  const featured = await largeImageOf(host, page, Number(meta._thumbnail_id?.[0] ?? 0))
  if (featured) return featured
  if (post.type === 'attachment') return largeImageOf(host, page, post.id)
  for (const { attachmentId, src, alt } of readImages((await host.content.publicMarkup(post)).slice(0, READ)).filter(
    isLarge,
  )) {
    const own = attachmentId === undefined ? undefined : await largeImageOf(host, page, attachmentId)
    if (own) return own
    const url = readAddress(host.content.currentAddresses(src), host.site.url)
    if (url !== undefined) return { url, alt }
  }
  return undefined
}

/** As `imageOfAttachment`, but only of those that are shown everywhere. */
export async function largeImageOf(host: Host, page: PageContext, id: number): Promise<SocialImage | undefined> {
  const image = await imageOfAttachment(host, page, id)
  return image && Math.min(image.width ?? SMALLEST, image.height ?? SMALLEST) >= SMALLEST ? image : undefined
}

/** An attachment in the size that suits, unless it is no image that is shown where pages are shared. */
export async function imageOfAttachment(
  { content }: Host,
  page: PageContext,
  id: number,
): Promise<SocialImage | undefined> {
  const attachment = Number.isSafeInteger(id) && id > 0 ? await content.posts.get(id) : undefined
  if (attachment?.type !== 'attachment' || !TYPES.has(attachment.mimeType)) return undefined
  // Whoever writes a post may name any attachment in it, also one of somebody's draft.
  if (!(await content.canRead(attachment, null))) return undefined
  page.addTags(`post-${id}`)
  const details = (await content.media.details([attachment])).get(id)
  if (!details) return undefined
  const size = bestSize(details)
  if (!size) return details.url === '' ? undefined : { url: details.url, type: attachment.mimeType, alt: details.alt }
  return { url: size.url, width: size.width, height: size.height, type: size.mimeType, alt: details.alt }
}

/** The smallest that is wide enough and not cropped, or the widest. */
function bestSize({ width, height, sizes }: MediaDetails): ImageSize | undefined {
  const isWhole = (size: ImageSize) => Math.abs(size.width / size.height - width / height) < 0.05
  const whole = Object.values(sizes)
    .filter((size) => size.height > 0 && TYPES.has(size.mimeType) && isWhole(size))
    .sort((one, other) => one.width - other.width)
  return whole.find((size) => size.width >= WIDTH) ?? whole.at(-1)
}

/** Whether nothing says that it is small. */
function isLarge({ width, height }: TextImage): boolean {
  return [width, height].every((pixels) => pixels === undefined || !(Number(pixels) < SMALLEST))
}
