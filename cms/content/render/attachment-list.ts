import type { Post } from '../types.ts'
import type { Attachment, Attachments } from './attachments.ts'
import type { Shortcode } from './types.ts'

/** Maximum number of attachments in a gallery or playlist. */
const LIMIT = 500

/** Remaining number of attachments, reduced by each one that is shown. */
export interface AttachmentRoom {
  readonly left: number
  /** @returns how many of the requested ones may still be shown */
  take(wanted: number): number
}

/** @param maximum number of attachments in the galleries, players and playlists of one post */
export function createAttachmentRoom(most: number): AttachmentRoom {
  let left = most
  return {
    get left() {
      return left
    },
    take(wanted) {
      const taken = Math.min(wanted, left)
      left -= taken
      return taken
    },
  }
}

/** Parts that select the attachments of `[gallery]` and `[playlist]`. */
export interface ListParts {
  readonly attachments: Attachments
  /** Those of the attachments that a post may show. */
  readonly readable: (attachments: readonly Post[], shownBy: Post) => Promise<readonly Post[]>
  /** The remaining number of attachments that the content may contain. */
  readonly room: AttachmentRoom
}

/**
 * The attachments that `ids`, `include`, `exclude`, `id`, `orderby` and `order` choose, in their order.
 * @param kind of their files: `image`, `audio` or `video`
 */
export async function listAttachments(
  attributes: Shortcode['attributes'],
  post: Post,
  kind: string,
  { attachments, readable, room }: ListParts,
): Promise<Attachment[]> {
  if (room.left === 0) return []
  const found = await find(attributes, post, kind, attachments)
  const shown = new Set(
    await readable(
      found.map((attachment) => attachment.post),
      post,
    ),
  )
  const listed = ordered(
    found.filter((attachment) => shown.has(attachment.post)),
    attributes,
  )
  return listed.slice(0, room.take(listed.length))
}

async function find(
  attributes: Shortcode['attributes'],
  post: Post,
  kind: string,
  attachments: Attachments,
): Promise<Attachment[]> {
  const wanted = idsOf(attributes.ids ?? attributes.include)
  if (wanted.length > 0) {
    const found = await attachments.get(wanted)
    return wanted.flatMap((id) => found.get(id) ?? []).filter(({ post }) => post.mimeType.startsWith(`${kind}/`))
  }
  const excluded = new Set(idsOf(attributes.exclude))
  const uploaded = await attachments.ofPost(wholeNumber(attributes.id) ?? post.id, kind)
  return uploaded.filter(({ post }) => !excluded.has(post.id))
}

const COMPARE: Readonly<Record<string, (one: Post, other: Post) => number>> = {
  id: (one, other) => one.id - other.id,
  title: (one, other) => one.title.localeCompare(other.title),
  post_title: (one, other) => one.title.localeCompare(other.title),
  date: (one, other) => one.date.localeCompare(other.date),
  post_date: (one, other) => one.date.localeCompare(other.date),
  menu_order: (one, other) => one.menuOrder - other.menuOrder || one.id - other.id,
}

/** Attachments listed by id keep that order unless another one is specified. */
function ordered(listed: readonly Attachment[], attributes: Shortcode['attributes']): Attachment[] {
  const wanted = (attributes.orderby ?? (attributes.ids === undefined ? 'menu_order' : '')).toLowerCase().split(/\s/)[0]
  if (wanted === 'rand') return shuffled(listed)
  const compare = wanted !== undefined && Object.hasOwn(COMPARE, wanted) ? COMPARE[wanted] : undefined
  const sorted = compare ? listed.toSorted((one, other) => compare(one.post, other.post)) : [...listed]
  return attributes.order?.toUpperCase() === 'DESC' ? sorted.reverse() : sorted
}

function shuffled(listed: readonly Attachment[]): Attachment[] {
  return listed
    .map((attachment) => ({ attachment, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ attachment }) => attachment)
}

function idsOf(list: string | undefined): number[] {
  const ids = (list ?? '').split(/[\s,]+/).map((text) => wholeNumber(text) ?? 0)
  return [...new Set(ids.filter((id) => id > 0))].slice(0, LIMIT)
}

/** A number in a shortcode attribute; `undefined` if it is not a number. */
export function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
