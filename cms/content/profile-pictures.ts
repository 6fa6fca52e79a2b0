import type { Meta } from './meta/types.ts'
import type { Content, MediaDetails } from './types.ts'

/** The meta key of a user's picture: the id of an image in the media library. */
export const PROFILE_PICTURE = 'profile_picture'

/** The id of a user's picture; 0 if there is none. */
export function pictureIdOf(meta: Meta | undefined): number {
  const id = Number(meta?.[PROFILE_PICTURE]?.[0] ?? 0)
  return Number.isSafeInteger(id) && id > 0 ? id : 0
}

/** The pictures that visitors may see, by the id of the image: not those that are deleted or in a private post. */
export async function findPictures(
  content: Pick<Content, 'posts' | 'media' | 'readable'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, MediaDetails>> {
  const wanted = [...new Set(ids)].filter((id) => id > 0)
  if (wanted.length === 0) return new Map()
  const found = [...(await content.posts.getMany(wanted)).values()]
  const images = found.filter(({ type, mimeType }) => type === 'attachment' && mimeType.startsWith('image/'))
  return content.media.details(await content.readable(images, null))
}
