import type { ContentParts } from '../parts.ts'
import { cleanText, inChunks, type PostRow } from '../rows.ts'
import type { Post, Posts } from '../types.ts'
import { queryMonths, queryNeighbours, queryPosts, queryRevisions } from './query.ts'
import { toPost } from './rows.ts'
import { createPostWriter, rowOf, type SavedPost } from './write.ts'

export type { PostWriter } from './write.ts'

/** Posts, pages, attachments and every other type. */
export function createPosts(parts: ContentParts): Posts {
  const { database, hooks, registrations } = parts
  const { db } = database
  const writer = createPostWriter(parts)
  const read = (row: PostRow): Post => toPost(row, registrations)

  /** In WordPress's order. */
  async function announce({ before, after, setTerms }: SavedPost): Promise<Post> {
    const post = read(after)
    for (const { taxonomy, askedIds, newIds, oldIds } of setTerms)
      await hooks.doActionAsync('set_object_terms', post.id, askedIds, newIds, taxonomy, false, oldIds)
    if (post.type === 'attachment') {
      await hooks.doActionAsync(before ? 'edit_attachment' : 'add_attachment', post.id)
      return post
    }
    const oldStatus = before?.status ?? 'new'
    await hooks.doActionAsync('transition_post_status', post.status, oldStatus, post)
    // The name is only known now, so it counts as undeclared here; listeners see the declared family.
    const family: string = `${post.status}_${post.type}`
    await hooks.doActionAsync(family, post.id, post, oldStatus)
    const update = before !== undefined
    if (before) await hooks.doActionAsync('post_updated', post.id, post, read(before))
    await hooks.doActionAsync(`save_post_${post.type}`, post.id, post, update)
    await hooks.doActionAsync('save_post', post.id, post, update)
    await hooks.doActionAsync('wp_insert_post', post.id, post, update)
    return post
  }

  const posts: Posts = {
    async get(id) {
      const row = await rowOf(db, id)
      return row && read(row)
    },

    async getMany(ids) {
      const rows = await inChunks(ids, (some) => db.selectFrom('posts').selectAll().where('id', 'in', some).execute())
      const byId = new Map(rows.map((row) => [row.id, read(row)]))
      return new Map(ids.flatMap((id) => byId.get(id) ?? []).map((post) => [post.id, post]))
    },

    async getByPath(path) {
      if (path === '') return undefined
      const rows = await db.selectFrom('posts').selectAll().where('path', '=', cleanText(path)).limit(20).execute()
      const candidates = rows.map(read).filter((post) => post.path !== '')
      return candidates.sort((a, b) => precedence(a) - precedence(b) || a.id - b.id)[0]
    },

    async query(query) {
      const { rows, total } = await queryPosts(parts, query)
      return { items: rows.map(read), total }
    },

    insert: async (post) => announce(await writer.insert(post)),
    update: async (id, changes) => announce(await writer.update(id, changes)),

    async delete(id) {
      const post = await posts.get(id)
      if (!post) return undefined
      await hooks.doActionAsync('before_delete_post', id, post)
      const deleted = await writer.delete(id)
      if (!deleted) return undefined
      await hooks.doActionAsync('deleted_post', id, post)
      return post
    },

    async neighbours(post) {
      const { id, type } = post
      const { previous, next } = await queryNeighbours(db, { id, type, date_gmt: post.dateGmt.replace('T', ' ') })
      return { previous: previous && read(previous), next: next && read(next) }
    },

    months: (type = 'post') => queryMonths(db, type),
    revisions: (ids) => queryRevisions(db, ids),
  }

  /** A page and a post may share a slug; WordPress shows the page. What is public comes before what is private. */
  function precedence({ status, type }: Post): number {
    const hierarchical = registrations.postTypes().get(type)?.hierarchical ?? false
    return (status === 'private' ? 4 : 0) + (hierarchical ? 0 : type === 'attachment' ? 2 : 1)
  }

  return posts
}
