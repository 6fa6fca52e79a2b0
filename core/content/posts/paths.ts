import type { Registrations } from '../registrations.ts'
import type { Db, PostRow } from '../rows.ts'

type Node = Pick<PostRow, 'id' | 'type' | 'status' | 'parent_id' | 'slug' | 'path'>
const NODE = ['id', 'type', 'status', 'parent_id', 'slug', 'path'] as const

/** Statuses with a public address. Scheduled posts get theirs when they are published. */
const PUBLIC = new Set(['publish', 'private', 'inherit'])
/** Deeper than any real hierarchy: what ends a circle of parents. */
const DEPTH = 100

/** The whole public path of a post with slashes at both ends, as WordPress's `get_permalink` with `/%postname%/`. */
export async function pathOf(db: Db, post: Node, registrations: Pick<Registrations, 'postTypes'>): Promise<string> {
  const ancestors = new Map<number, Node>()
  let next = post.parent_id
  while (next !== 0 && !ancestors.has(next) && next !== post.id && ancestors.size < DEPTH) {
    const parent = await db.selectFrom('posts').select(NODE).where('id', '=', next).executeTakeFirst()
    if (!parent) break
    ancestors.set(parent.id, parent)
    next = parent.parent_id
  }
  return derivePath(post, ancestors, registrations)
}

/**
 * Puts the paths of everything below a post right after its slug, parent or status changed: pages, and the
 * attachments of each.
 */
export async function refreshPathsBelow(
  db: Db,
  top: Node,
  registrations: Pick<Registrations, 'postTypes'>,
): Promise<void> {
  const ancestors = new Map<number, Node>([[top.id, top]])
  let parent = top.parent_id
  while (parent !== 0 && !ancestors.has(parent) && ancestors.size < DEPTH) {
    const row = await db.selectFrom('posts').select(NODE).where('id', '=', parent).executeTakeFirst()
    if (!row) break
    ancestors.set(row.id, row)
    parent = row.parent_id
  }
  let level = [top.id]
  while (level.length > 0) {
    const children = await db
      .selectFrom('posts')
      .select(NODE)
      .where('parent_id', 'in', level)
      .where('type', '!=', 'revision')
      .execute()
    level = []
    for (const child of children) {
      if (ancestors.has(child.id)) continue
      const path = derivePath(child, ancestors, registrations)
      if (path !== child.path) await db.updateTable('posts').set({ path }).where('id', '=', child.id).execute()
      ancestors.set(child.id, { ...child, path })
      level.push(child.id)
    }
  }
}

function derivePath(
  post: Node,
  ancestors: ReadonlyMap<number, Node>,
  registrations: Pick<Registrations, 'postTypes'>,
): string {
  if (!PUBLIC.has(post.status) || post.slug === '' || post.type === 'revision') return ''
  const type = registrations.postTypes().get(post.type)
  if (type && !type.public) return ''
  if (post.type === 'attachment') return attachmentPath(post, ancestors, registrations)
  if (post.type === 'post') return `/${post.slug}/`
  const prefix = post.type === 'page' ? '/' : `/${post.type}/`
  return `${prefix}${type?.hierarchical ? slugsAbove(post, ancestors) : ''}${post.slug}/`
}

/** Below its parent's page; a number would be read as the second page of the parent, so `attachment/` comes before it. */
function attachmentPath(
  post: Node,
  ancestors: ReadonlyMap<number, Node>,
  registrations: Pick<Registrations, 'postTypes'>,
): string {
  const parent = ancestors.get(post.parent_id)
  if (!parent || parent.id === post.id) return `/${post.slug}/`
  const above = derivePath(parent, ancestors, registrations)
  if (above === '') return ''
  return `${above}${/^\d+$/.test(post.slug) ? 'attachment/' : ''}${post.slug}/`
}

function slugsAbove(post: Node, ancestors: ReadonlyMap<number, Node>): string {
  const slugs: string[] = []
  const seen = new Set([post.id])
  let parent = ancestors.get(post.parent_id)
  while (parent && !seen.has(parent.id)) {
    seen.add(parent.id)
    if (parent.slug !== '') slugs.unshift(`${parent.slug}/`)
    parent = ancestors.get(parent.parent_id)
  }
  return slugs.join('')
}
