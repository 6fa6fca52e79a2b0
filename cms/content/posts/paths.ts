import type { ContentParts } from '../parts.ts'
import type { TagValues } from '../permalinks/structure.ts'
import { tagValues } from '../permalinks/tag-values.ts'
import { type Db, inChunks, type PostRow } from '../rows.ts'

const NODE = ['id', 'type', 'status', 'parent_id', 'slug', 'path', 'date', 'author_id'] as const
type Node = Pick<PostRow, (typeof NODE)[number]>
export type PathParts = Pick<ContentParts, 'registrations' | 'settings' | 'structure'>

/** Statuses with a public address. Scheduled posts get theirs when they are published. */
const PUBLIC = new Set(['publish', 'private', 'inherit'])
/** Deeper than any real hierarchy; ends cycles of parents. */
const DEPTH = 100
/** Paths written per transaction. */
const AT_ONCE = 500

/** Data from which paths are built: ancestors of each post, and values of the tags. */
interface Sources {
  readonly nodes: ReadonlyMap<number, Node>
  readonly values: ReadonlyMap<number, TagValues>
}

/** The complete public path of a post, as WordPress's `get_permalink`; empty for one without a public page. */
export async function pathOf(db: Db, post: Node, parts: PathParts): Promise<string> {
  return derivePath(post, await sourcesOf(db, [post], parts), parts)
}

/** Updates the paths of all descendants of a post (pages and attachments) after its slug, parent or status changed. */
export async function refreshPathsBelow(db: Db, top: Pick<Node, 'id'>, parts: PathParts): Promise<void> {
  const seen = new Set([top.id])
  let level = [top.id]
  while (level.length > 0) {
    const children = await inChunks(level, (some) =>
      db.selectFrom('posts').select(NODE).where('parent_id', 'in', some).where('type', '!=', 'revision').execute(),
    )
    const fresh = children.filter(({ id }) => !seen.has(id))
    await writePaths(db, fresh, parts)
    level = fresh.map(({ id }) => id)
    for (const id of level) seen.add(id)
  }
}

/** Updates the paths of some posts and their descendants. */
export async function refreshPaths(db: Db, ids: readonly number[], parts: PathParts): Promise<void> {
  const rows = await inChunks(ids, (some) => db.selectFrom('posts').select(NODE).where('id', 'in', some).execute())
  for (const changed of await writePaths(db, rows, parts)) await refreshPathsBelow(db, changed, parts)
}

/** Updates all paths after the structure changed, a few hundred per transaction. */
export async function refreshAllPaths({ write, ...parts }: PathParts & Pick<ContentParts, 'write'>): Promise<void> {
  let last = 0
  for (;;) {
    const next = last
    const rows = await write(async (db) => {
      const some = await db
        .selectFrom('posts')
        .select(NODE)
        .where('id', '>', next)
        .where('type', 'not in', ['revision', 'nav_menu_item'])
        .orderBy('id')
        .limit(AT_ONCE)
        .execute()
      await writePaths(db, some, parts)
      return some
    })
    last = rows.at(-1)?.id ?? 0
    if (rows.length < AT_ONCE) return
  }
}

/** Resolves to the posts whose paths changed. */
async function writePaths(db: Db, posts: readonly Node[], parts: PathParts): Promise<Node[]> {
  const sources = await sourcesOf(db, posts, parts)
  const changed: Node[] = []
  for (const post of posts) {
    const path = derivePath(post, sources, parts)
    if (path === post.path) continue
    await db.updateTable('posts').set({ path }).where('id', '=', post.id).execute()
    changed.push(post)
  }
  return changed
}

async function sourcesOf(db: Db, posts: readonly Node[], { settings, structure }: PathParts): Promise<Sources> {
  const nodes = new Map(posts.map((post) => [post.id, post]))
  let above = posts
  for (let depth = 0; depth < DEPTH; depth++) {
    const missing = above.map((post) => post.parent_id).filter((id) => id !== 0 && !nodes.has(id))
    if (missing.length === 0) break
    above = await inChunks(missing, (some) => db.selectFrom('posts').select(NODE).where('id', 'in', some).execute())
    for (const post of above) nodes.set(post.id, post)
  }
  const tagged = [...nodes.values()].filter(({ type }) => type === 'post')
  return { nodes, values: await tagValues(db, tagged, structure(), settings().defaultCategory) }
}

/** @param below attachments between it and the post, to end cycles */
function derivePath(post: Node, sources: Sources, parts: PathParts, below: readonly number[] = []): string {
  if (!PUBLIC.has(post.status) || post.slug === '' || post.type === 'revision') return ''
  const type = parts.registrations.postTypes().get(post.type)
  if (type && !type.public) return ''
  const { text, build, front, end } = parts.structure()
  if (post.type === 'attachment') return attachmentPath(post, sources, parts, [...below, post.id])
  if (text === '') return plainAddress(post)
  const values = sources.values.get(post.id)
  if (values) return build(values)
  const prefix = post.type === 'page' ? '/' : `${front}${post.type}/`
  return `${prefix}${type?.hierarchical ? slugsAbove(post, sources.nodes) : ''}${post.slug}${end}`
}

/**
 * Below the URL of its parent. Prefixed with `attachment/` for a number, which would be a page number of the parent, and below a category,
 * where a slug would be that of a post (WordPress's `get_attachment_link`).
 */
function attachmentPath(post: Node, sources: Sources, parts: PathParts, below: readonly number[]): string {
  const { text, tags, end } = parts.structure()
  const parent = sources.nodes.get(post.parent_id)
  if (!parent || below.includes(parent.id)) return text === '' ? plainAddress(post) : `/${post.slug}${end}`
  const above = derivePath(parent, sources, parts, below)
  if (above === '' || text === '') return above && plainAddress(post)
  const isMarked = /^\d+$/.test(post.slug) || tags.has('category')
  return `${above.replace(/\/?$/, '/')}${isMarked ? 'attachment/' : ''}${post.slug}${end}`
}

function slugsAbove(post: Node, nodes: ReadonlyMap<number, Node>): string {
  const slugs: string[] = []
  const seen = new Set([post.id])
  let parent = nodes.get(post.parent_id)
  while (parent && !seen.has(parent.id)) {
    seen.add(parent.id)
    if (parent.slug !== '') slugs.unshift(`${parent.slug}/`)
    parent = nodes.get(parent.parent_id)
  }
  return slugs.join('')
}

/** URL of a post without a path: `/?p=7`. */
export function plainAddress({ id, type }: Pick<PostRow, 'id' | 'type'>): string {
  if (type === 'post') return `/?p=${id}`
  if (type === 'page') return `/?page_id=${id}`
  if (type === 'attachment') return `/?attachment_id=${id}`
  return `/?post_type=${encodeURIComponent(type)}&p=${id}`
}
