import { type ExtensionHost, galleryIds, type JsonValue, type Post, plainText } from 'pentad'
import { readImages } from '../text/images.ts'
import type { SitemapImage } from './types.ts'

/** An image as a post names it: an attachment, an address, or an address that is known to be one of an attachment. */
interface NamedImage {
  readonly attachmentId?: number | undefined
  /** As it stands in the content; without one it is the attachment's own. */
  readonly src?: string | undefined
  readonly title?: string | undefined
}

/**
 * Images that posts show, by id of the post: the featured one first, then those of the content in their order. Takes
 * three look-ups for any number of posts; nothing is rendered.
 */
export async function imagesOf(
  { content }: Pick<ExtensionHost, 'content'>,
  posts: readonly Post[],
): Promise<Map<number, SitemapImage[]>> {
  const meta = await content.meta.of(
    'post',
    posts.map(({ id }) => id),
  )
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
  // One without an address of its own, or with all of the image in it, has nothing that a robot could fetch.
  const elements = readImages(content).filter(({ src }) => src !== '' && !/^data:/i.test(src))
  const named = elements.map(({ attachmentId, src, title, alt }) => ({ attachmentId, src, title: title || alt }))
  return [...named, ...galleryIds(content).map((attachmentId) => ({ attachmentId }))]
}
