import { type ExtensionHost, galleryIds, type JsonValue, type Meta, type Post, plainText } from 'pentad'
import { readImages } from '../text/images.ts'
import type { SitemapImage } from './types.ts'

/** An image of a post: an attachment, a URL, or a URL that belongs to an attachment. */
interface NamedImage {
  readonly attachmentId?: number | undefined
  /** Title in the content; otherwise that of the attachment. */
  readonly src?: string | undefined
  readonly title?: string | undefined
}

/**
 * Images of posts by post ID: the featured image first, then those in the content in order. Two queries for any
 * number of posts, without rendering.
 * @param meta of the posts
 */
export async function imagesOf(
  { content }: Pick<ExtensionHost, 'content'>,
  posts: readonly Post[],
  meta: ReadonlyMap<number, Meta>,
): Promise<Map<number, SitemapImage[]>> {
  const named = new Map<number, NamedImage[]>()
  for (const post of posts) {
    const shown = inContent(await content.publicMarkup(post))
    named.set(post.id, [...itself(post), ...featured(meta.get(post.id)?._thumbnail_id?.[0]), ...shown])
  }
  const ids = [...named.values()].flat().flatMap(({ attachmentId }) => attachmentId ?? [])
  const found = await content.posts.getMany([...new Set(ids)])
  const attachments = new Map((await content.readable([...found.values()], null)).map((post) => [post.id, post]))
  const details = await content.media.details(
    [...attachments.values()].filter(({ type, mimeType }) => type === 'attachment' && mimeType.startsWith('image/')),
  )

  function toImages(post: Post): SitemapImage[] {
    const images = new Map<string, SitemapImage>()
    for (const { attachmentId = 0, src, title } of named.get(post.id) ?? []) {
      const file = details.get(attachmentId)
      const address = src === undefined ? file?.url : content.currentAddresses(src)
      const url = address === undefined ? undefined : URL.parse(address, content.link(post))?.href
      if (url === undefined || images.has(url)) continue
      const attachment = file && attachments.get(attachmentId)
      images.set(url, { url, title: (attachment && plainText(content.renderTitle(attachment))) || title })
    }
    return [...images.values()]
  }
  return new Map(posts.map((post) => [post.id, toImages(post)]))
}

function itself({ id, type }: Post): NamedImage[] {
  return type === 'attachment' ? [{ attachmentId: id }] : []
}

function featured(value: JsonValue | undefined): NamedImage[] {
  const attachmentId = Number(value ?? 0)
  return Number.isSafeInteger(attachmentId) && attachmentId > 0 ? [{ attachmentId }] : []
}

function inContent(content: string): NamedImage[] {
  // Images without a URL, or with a data URL, cannot be fetched.
  const elements = readImages(content).filter(({ src }) => src !== '' && !/^data:/i.test(src))
  const named = elements.map(({ attachmentId, src, title, alt }) => ({ attachmentId, src, title: title || alt }))
  return [...named, ...galleryIds(content).map((attachmentId) => ({ attachmentId }))]
}
