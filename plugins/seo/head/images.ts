import type { ExtensionHost, ImageSize, MediaDetails, Meta, PageContext, Post } from 'pentad'
import { readImages, type TextImage } from '../text/images.ts'
import { readAddress } from './address.ts'

/** The image of a page for social sharing. */
export interface SocialImage {
  readonly url: string
  /** Size and type are only known for attachments of this site. */
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly type?: string | undefined
  readonly alt: string
}

/** Formats that Facebook and X support. */
const TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])
/** Maximum width used by social networks. */
const WIDTH = 1200
/** Minimum size in pixels: Facebook ignores smaller images, and in content they are usually decoration. */
const SMALLEST = 200
/** Maximum length of content that is searched for its first image. */
const READ = 100_000

type Host = Pick<ExtensionHost, 'content' | 'pageData' | 'site'>

/** The image of a field: an attachment ID or a URL. */
export async function imageOfField(host: Host, page: PageContext, text: string): Promise<SocialImage | undefined> {
  if (/^\d{1,9}$/.test(text)) return imageOfAttachment(host, page, Number(text))
  const url = text === '' ? undefined : readAddress(host.content.currentAddresses(text), host.site.url)
  return url === undefined ? undefined : { url, alt: '' }
}

/**
 * The first image of a post that is large enough: the featured image, the attachment itself, or an image in the
 * content.
 */
export async function imageOfPost(host: Host, page: PageContext, meta: Meta): Promise<SocialImage | undefined> {
  const { post } = page
  if (!post) return undefined
  const featured = await largeImageOf(host, page, Number(meta._thumbnail_id?.[0] ?? 0))
  if (featured) return featured
  if (post.type === 'attachment') return largeImageOf(host, page, post.id)
  for (const { attachmentId, src, alt } of largeImagesIn(await host.content.publicMarkup(post), post)) {
    const own = attachmentId === undefined ? undefined : await largeImageOf(host, page, attachmentId)
    if (own) return own
    const url = readAddress(host.content.currentAddresses(src), host.site.url)
    if (url !== undefined) return { url, alt }
  }
  return undefined
}

/** Images of posts with the markup that they were read from. Pages of the same post share its object. */
const imagesOfPosts = new WeakMap<Post, { readonly markup: string; readonly images: readonly TextImage[] }>()

function largeImagesIn(markup: string, post: Post): readonly TextImage[] {
  const known = imagesOfPosts.get(post)
  if (known?.markup === markup) return known.images
  const images = readImages(markup.slice(0, READ)).filter(isLarge)
  imagesOfPosts.set(post, { markup, images })
  return images
}

/** As `imageOfAttachment`, but not smaller than social networks require. */
export async function largeImageOf(host: Host, page: PageContext, id: number): Promise<SocialImage | undefined> {
  const image = await imageOfAttachment(host, page, id)
  return image && Math.min(image.width ?? SMALLEST, image.height ?? SMALLEST) >= SMALLEST ? image : undefined
}

/** An attachment in a suitable size, unless its format is not supported by social networks. */
export async function imageOfAttachment(
  { pageData }: Pick<Host, 'pageData'>,
  page: PageContext,
  id: number,
): Promise<SocialImage | undefined> {
  // Only a public one: authors can reference any attachment in a post, including one of another user's draft.
  const { post, details } = (await pageData.attachment(id)) ?? {}
  if (!post || !TYPES.has(post.mimeType)) return undefined
  page.addTags(`post-${id}`)
  if (!details) return undefined
  const size = bestSize(details)
  if (!size) return details.url === '' ? undefined : { url: details.url, type: post.mimeType, alt: details.alt }
  return { url: size.url, width: size.width, height: size.height, type: size.mimeType, alt: details.alt }
}

/** The smallest size that is wide enough and not cropped, or the widest. */
function bestSize({ width, height, sizes }: MediaDetails): ImageSize | undefined {
  const isUncropped = (size: ImageSize) => Math.abs(size.width / size.height - width / height) < 0.05
  const whole = Object.values(sizes)
    .filter((size) => size.height > 0 && TYPES.has(size.mimeType) && isUncropped(size))
    .sort((one, other) => one.width - other.width)
  return whole.find((size) => size.width >= WIDTH) ?? whole.at(-1)
}

/** Whether the image is large enough, as far as its size is known. */
function isLarge({ width, height }: TextImage): boolean {
  return [width, height].every((pixels) => pixels === undefined || !(Number(pixels) < SMALLEST))
}
