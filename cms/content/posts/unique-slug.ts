import type { ContentParts } from '../parts.ts'
import { HOST_PATHS } from '../permalinks/structure.ts'
import type { Db, PostRow } from '../rows.ts'
import { numberedSlug } from '../slug.ts'

const FEEDS = ['feed', 'rdf', 'rss', 'rss2', 'atom']

/** Fields that decide whether a slug is free. */
const PLACE = ['slug', 'type', 'status', 'parent_id'] as const

type Place = Pick<PostRow, (typeof PLACE)[number]>

/**
 * The slug, or the slug with the lowest free number (WordPress's `wp_unique_post_slug`): those of attachments are unique among all posts,
 * those of pages among siblings and attachments, those of other types within the type. Drafts keep their slug until they are published.
 * @param before the stored post: its slug stays valid even if it looks like a date or a page number, and is still free if type, status,
 * and parent are the same
 */
export async function uniqueSlug(
  db: Db,
  post: Place & Pick<PostRow, 'id'>,
  { registrations, structure }: Pick<ContentParts, 'registrations' | 'structure'>,
  before: Place | undefined,
): Promise<string> {
  const { slug, type, status } = post
  if (['draft', 'pending', 'auto-draft'].includes(status) || (status === 'inherit' && type === 'revision')) return slug
  if (type === 'nav_menu_item' || slug === '') return slug
  if (before && PLACE.every((field) => before[field] === post[field])) return slug
  const hierarchical = registrations.postTypes().get(type)?.hierarchical ?? false

  async function isFree(candidate: string): Promise<boolean> {
    let taken = db.selectFrom('posts').select('id').where('slug', '=', candidate).where('id', '!=', post.id)
    if (hierarchical) taken = taken.where('type', 'in', [type, 'attachment']).where('parent_id', '=', post.parent_id)
    else if (type !== 'attachment') taken = taken.where('type', '=', type)
    return (await taken.limit(1).executeTakeFirst()) === undefined
  }

  if (!(slug !== before?.slug && isReserved(post, hierarchical, structure().text)) && (await isFree(slug))) return slug
  for (let number = 2; ; number++) {
    const candidate = numberedSlug(slug, number)
    if (await isFree(candidate)) return candidate
  }
}

function isReserved(
  { slug, type, parent_id: parent }: Pick<PostRow, 'slug' | 'type' | 'parent_id'>,
  hierarchical: boolean,
  structure: string,
) {
  if (FEEDS.includes(slug) || slug === 'embed') return true
  if ((parent === 0 || !hierarchical) && HOST_PATHS.has(slug)) return true
  // `/about/page2/` would be a page number.
  return hierarchical ? /^(page)?\d+$/.test(slug) : type === 'post' && isLikeDate(slug, structure)
}

/** Whether a slug would stand where an archive has its year, month or day. */
function isLikeDate(slug: string, structure: string): boolean {
  if (!/^\d+$/.test(slug)) return false
  const parts = structure.split('/').filter((part) => part !== '')
  const at = parts.indexOf('%postname%')
  const number = Number(slug)
  return at === 0 || (parts[at - 1] === '%year%' && number < 13) || (parts[at - 1] === '%monthnum%' && number < 32)
}
