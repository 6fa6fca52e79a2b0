import type { Responses } from '../../api/responses.ts'
import { __, sprintf } from '../../i18n.ts'
import { can, pageData } from '../../page-data.ts'
import { plainText } from '../../parts/plain-text.ts'

/** A file as `wp/v2/media` returns it to an editor. */
export type MediaItem = Responses['Media']

export const MEDIA = 'wp/v2/media'

export const nameOf = ({ title, source_url: url }: MediaItem): string =>
  title.raw || plainText(title.rendered) || (url.split('/').at(-1) ?? '')

/** For example “PNG image”, by the file name extension. */
export function kindOf({ source_url: url, mime_type: mime }: MediaItem): string {
  const ending = /\.(\w+)$/.exec(url)?.[1]?.toUpperCase()
  if (!ending) return mime
  switch (mime.split('/')[0]) {
    case 'image':
      return sprintf(__('%s image', 'pentad'), ending)
    case 'audio':
      return sprintf(__('%s audio', 'pentad'), ending)
    case 'video':
      return sprintf(__('%s video', 'pentad'), ending)
    default:
      return ending
  }
}

/** The URL of a file on the admin's own origin, whatever the configured site URL. */
function ownPath(url: string): string {
  const parsed = URL.parse(url)
  return parsed && parsed.origin === new URL(pageData.site.url).origin ? parsed.pathname : url
}

/** A small size for lists, or the file itself if it has no sizes. */
export function thumbnailOf({ media_details: { sizes = {} }, source_url: url }: MediaItem): string {
  return ownPath((sizes.medium ?? sizes.thumbnail)?.source_url ?? url)
}

export const largeOf = ({ media_details: { sizes = {} }, source_url: url }: MediaItem): string =>
  ownPath(sizes.large?.source_url ?? url)

/** The rule of the `edit_post` capability for a file. */
export const mayEdit = ({ author }: MediaItem): boolean => can('edit_others_posts') || author === pageData.user.id
