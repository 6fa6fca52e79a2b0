import { isJsonRecord, type JsonRecord } from '../../../core/options/json.ts'
import type { JsonValue } from '../../../core/options/types.ts'
import type { ImageSize, Media, MediaDetails, Meta, MetaStore, Post } from '../types.ts'

/** Data of attachment files from WordPress's meta, read with one statement for any number of attachments. */
export function createMediaDetails({ meta, siteUrl }: { meta: MetaStore; siteUrl: string }): Pick<Media, 'details'> {
  return {
    async details(attachments) {
      const metas = await meta.of(
        'post',
        attachments.map(({ id }) => id),
      )
      return new Map(attachments.map((post) => [post.id, detailsOf(post, metas.get(post.id) ?? {}, siteUrl)]))
    },
  }
}

/** URL of a file in the uploads folder. */
export function uploadUrl(siteUrl: string, file: string): string {
  return `${siteUrl}/wp-content/uploads/${file.split('/').map(encodeURIComponent).join('/')}`
}

function detailsOf(post: Post, meta: Meta, siteUrl: string): MediaDetails {
  const record = asRecord(meta._wp_attachment_metadata?.[0])
  const file = asText(meta._wp_attached_file?.[0]) || asText(record.file)
  const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/') + 1) : ''
  const width = asCount(record.width) ?? 0
  const height = asCount(record.height) ?? 0
  const size = (name: string, of: JsonRecord): ImageSize => ({
    file: name,
    width: asCount(of.width) ?? 0,
    height: asCount(of.height) ?? 0,
    mimeType: asText(of['mime-type']) || post.mimeType,
    filesize: asCount(of.filesize),
    url: uploadUrl(siteUrl, folder + name),
  })

  const sizes: Record<string, ImageSize> = {}
  for (const [name, value] of Object.entries(asRecord(record.sizes))) {
    const of = asRecord(value)
    const base = asText(of.file).split('/').at(-1) ?? ''
    if (base !== '') sizes[name] = size(base, of)
  }
  if (width > 0 && post.mimeType.startsWith('image/'))
    sizes.full = { ...size(file.slice(folder.length), { width, height }), mimeType: post.mimeType }
  return {
    file,
    url: file === '' ? post.guid : uploadUrl(siteUrl, file),
    alt: asText(meta._wp_attachment_image_alt?.[0]),
    width,
    height,
    filesize: asCount(record.filesize),
    sizes,
    artist: asText(record.artist),
    duration: asText(record.length_formatted),
    imageMeta: asRecord(record.image_meta),
  }
}

export function asRecord(value: JsonValue | undefined): JsonRecord {
  return isJsonRecord(value) ? value : {}
}

function asText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function asCount(value: JsonValue | undefined): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined
}
