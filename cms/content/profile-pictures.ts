import type { Meta } from './meta/types.ts'
import type { Comment, Content, MediaDetails } from './types.ts'

/** The meta key of a user's picture: the id of an image in the media library. */
export const PROFILE_PICTURE = 'profile_picture'

/** The id of a user's picture; 0 if there is none. */
export function pictureIdOf(meta: Meta | undefined): number {
  const id = Number(meta?.[PROFILE_PICTURE]?.[0] ?? 0)
  return Number.isSafeInteger(id) && id > 0 ? id : 0
}

/** A user's picture. */
export interface ProfilePicture {
  /** ID of the image. */
  readonly id: number
  /** `undefined` if visitors may not see it. */
  readonly details: MediaDetails | undefined
}

/** The pictures of users, by ID of the user; users without one are missing. */
export async function picturesOf(
  content: Pick<Content, 'posts' | 'media' | 'readable'>,
  metas: ReadonlyMap<number, Meta>,
): Promise<ReadonlyMap<number, ProfilePicture>> {
  const ids = [...metas].map(([user, meta]) => [user, pictureIdOf(meta)] as const).filter(([, id]) => id > 0)
  const found = await findPictures(
    content,
    ids.map(([, id]) => id),
  )
  return new Map(ids.map(([user, id]) => [user, { id, details: found.get(id) }]))
}

/** The URL of the smallest file that is at least this many pixels wide and high. */
export function pictureUrl(details: MediaDetails, pixels: number): string {
  const [smallest] = Object.values(details.sizes)
    .filter(({ width, height }) => Math.min(width, height) >= pixels)
    .sort((one, other) => one.width - other.width)
  return (smallest ?? details).url
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

/** The ids of the users who wrote the comments. */
export function registeredAuthors(comments: readonly Comment[]): number[] {
  return [...new Set(comments.map(({ userId }) => userId))].filter((id) => id > 0)
}
