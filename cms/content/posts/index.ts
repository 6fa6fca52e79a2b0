import { deprecate } from 'node:util'
import { sql } from 'kysely'
import { RestError } from '../../../core/errors.ts'
import { AFTER_COMMIT } from '../../../core/hooks/index.ts'
import type { ContentParts } from '../parts.ts'
import { cleanText, type PostRow } from '../rows.ts'
import { sift } from '../sift.ts'
import { gmtNow } from '../site-time.ts'
import type { NewPost, Post, Posts } from '../types.ts'
import { announceChange, announceDeleted, announceDeletion, announceSaved, announceTrash } from './announce.ts'
import { countPosts } from './counts.ts'
import { filterPostData } from './data.ts'
import { NOT_REVISION } from './filters.ts'
import { findByOldPath, findByTags, guessBySlug } from './former-paths.ts'
import { filterShapes } from './hooks.ts'
import { findByOldSlug } from './old-slugs.ts'
import { refreshPaths } from './paths.ts'
import { preparePost } from './prepare.ts'
import { createPostQuery, queryAdjacent, queryPeriods, queryRevisions, rangeOf } from './query.ts'
import { differs, type KeepRevisions, putAutosave, removeAutosave } from './revisions.ts'
import { toPost } from './rows.ts'
import { searchPosts } from './search.ts'
import { sieveOf } from './sieve.ts'
import { statusBeforeTrash } from './trash.ts'
import { createPostWriter, rejectStale } from './write.ts'

/** Scheduled posts read per query. */
const DUE = 50
/** Maximum number of posts that a URL may match. */
const GUESSES = 10

/** Posts, pages, attachments and every other type. */
export function createPosts(parts: ContentParts): Posts {
  const { database, hooks, readers, readRows, registrations, settings, siteUrl, structure, write } = parts
  hooks.declareFilters(filterShapes)
  const { db } = database
  const writer = createPostWriter(parts)
  const queryPosts = createPostQuery(parts)
  const read = (row: PostRow): Post => toPost(row, { registrations, siteUrl })

  /** The tags in a path, under the current and former structures of the site. */
  const tagsIn = (path: string) => [structure(), ...parts.formerStructures()].flatMap((each) => each.match(path) ?? [])

  hooks.addAction('profile_update', async (id, before, user) => {
    if (before.slug === user.slug || !structure().tags.has('author')) return
    const rows = await db
      .selectFrom('posts')
      .select('id')
      .where('author_id', '=', id)
      .where('type', '=', 'post')
      .execute()
    await write((handle) =>
      refreshPaths(
        handle,
        rows.map((row) => row.id),
        parts,
      ),
    )
  })

  /** WordPress's `wp_revisions_to_keep`. */
  function revisionsOf(post: Post, { savedBy: userId, keepsRevision = true }: NewPost): KeepRevisions {
    const isKept = registrations.postTypes().get(post.type)?.supports.includes('revisions')
    const all = hooks.applyFilters('wp_revisions_to_keep', isKept ? -1 : 0, post)
    const limit = Number(hooks.applyFilters(`wp_${post.type}_revisions_to_keep`, all, post))
    return {
      limit: !keepsRevision ? 0 : Number.isInteger(limit) ? limit : -1,
      userId,
      isChanged(changed, latest, row) {
        const [revision, now] = [read(latest), read(row)]
        if (!hooks.applyFilters('wp_save_post_revision_check_for_changes', true, revision, now)) return true
        return hooks.applyFilters('wp_save_post_revision_post_has_changed', changed, revision, now)
      },
    }
  }

  const posts: Posts = {
    async get(id) {
      const row = await readRows.get(id)
      return row && read(row)
    },

    async getMany(ids) {
      const rows = await readRows.getMany(ids)
      const byId = new Map(rows.map((row) => [row.id, read(row)]))
      return new Map(ids.flatMap((id) => byId.get(id) ?? []).map((post) => [post.id, post]))
    },

    async getByPath(path) {
      if (path === '') return undefined
      // URLs of a structure may not have a trailing slash.
      const same = [path, path.replace(/(?<=.)\/$/, '')].map(cleanText)
      // Written out, like the other lookups of paths: building the statement takes longer than running it, and a missing page needs several.
      const { rows } = await sql<PostRow>`select * from posts
        where path in (${sql.join(same)}) and ${NOT_REVISION} limit 20`.execute(db)
      const candidates = rows.map(read).filter((post) => post.path !== '')
      const [post] = candidates.sort((a, b) => precedence(a) - precedence(b) || a.id - b.id)
      const row = rows.find(({ id }) => id === post?.id)
      if (row) readRows.note(row)
      return post
    },

    async getByFormerPath(path) {
      const moved = await findByOldPath(db, path)
      if (moved) return read(moved)
      for (const values of tagsIn(path)) {
        const row = await findByTags(db, values)
        if (row) return read(row)
      }
      return undefined
    },

    async guess(path, { exact = false } = {}) {
      const values = tagsIn(path)[0]
      const slug = values?.postname ?? path.split('/').findLast((part) => part !== '') ?? ''
      if (slug === '') return []
      const types = [...registrations.postTypes().values()].filter((type) => type.public && type.name !== 'attachment')
      const ids = await guessBySlug(db, slug, { types: types.map(({ name }) => name), date: values ?? {}, exact })
      return [...(await posts.getMany(ids.slice(0, GUESSES))).values()]
    },

    async getByOldSlug(slug) {
      const types = [...registrations.postTypes().values()].filter((type) => type.public && !type.hierarchical)
      const row = await findByOldSlug(
        db,
        slug,
        types.map(({ name }) => name),
      )
      return row && read(row)
    },

    async query(query) {
      const sieve = sieveOf(parts, query)
      if (!sieve) {
        const { rows, total } = await queryPosts(query)
        return { items: rows.map(read), total }
      }
      const readRange = async (range: { limit: number; offset: number }) =>
        (await queryPosts({ ...query, ...range, noFoundRows: true }, sieve)).rows.map(read)
      const { counted } = sieve
      return sift(readRange, sieve.pick, { ...rangeOf(query), isCounted: !query.noFoundRows, counted })
    },

    async search(words, among = {}) {
      const { readableBy, types, match } = among
      const sieve = sieveOf(parts, { readableBy, types, search: words }, match === 'any')
      return searchPosts(parts, words, { among, read, sieve })
    },

    async insert(post) {
      const saved = await writer.insert(await filterPostData(hooks, post, undefined))
      readRows.note(saved.after)
      return announceSaved(hooks, read, saved)
    },

    async update(id, asked) {
      const known = await posts.get(id)
      if (!known) throw new RestError('rest_post_invalid_id', 'Invalid post ID.', { status: 404 })
      const changes = await filterPostData(hooks, asked, known)
      const noted = known.status === 'trash' ? await statusBeforeTrash(db, id) : 'draft'
      await announceChange(hooks, known, changes.status ?? known.status, changes, noted)
      const saved = await writer.update(known, changes, revisionsOf(known, asked))
      readRows.note(saved.after)
      const post = await announceSaved(hooks, read, saved)
      await announceTrash(hooks, post, saved.before && read(saved.before), noted)
      return post
    },

    async publishDue() {
      let published = 0
      const due = db
        .selectFrom('posts')
        .select('id')
        .where('status', '=', 'future')
        .where(NOT_REVISION)
        .where('date_gmt', '<=', gmtNow())
      for (const { id } of await due.orderBy('date_gmt').orderBy('id').limit(DUE).execute()) {
        const saved = await writer.publishIfDue(id)
        if (!saved) continue
        published++
        await hooks.limited(AFTER_COMMIT).doActionAsync('publish_future_post', id)
        await announceSaved(hooks, read, saved)
      }
      return published
    },

    async nextDue() {
      const row = await db
        .selectFrom('posts')
        .select('date_gmt')
        .where('status', '=', 'future')
        .where(NOT_REVISION)
        .orderBy('date_gmt')
        .limit(1)
        .executeTakeFirst()
      return row && Date.parse(`${row.date_gmt.replace(' ', 'T')}Z`)
    },

    async autosave(postId, userId, text) {
      const row = await readRows.get(postId)
      if (!row) return undefined
      const { title = row.title, content = row.content, excerpt = row.excerpt } = text
      const kept = { title: cleanText(title), content: cleanText(content), excerpt: cleanText(excerpt) }
      if (!differs(kept, row)) {
        await write((handle) => removeAutosave(handle, postId, userId))
        return undefined
      }
      const { timezone } = settings()
      await hooks.doActionAsync('wp_creating_autosave', { ...read(row), ...kept }, true)
      const saved = await write((handle) => putAutosave(handle, row, { text: kept, userId, timezone }))
      return read(saved)
    },

    async preview(post, asked) {
      const row = await readRows.get(post.id)
      const changes = await filterPostData(hooks, asked, post)
      return row ? read({ ...row, ...preparePost(parts, changes, row) }) : post
    },

    async delete(id, { unchangedSince } = {}) {
      const post = await posts.get(id)
      if (!post) return undefined
      // Checked here too, so that no action fires for a rejected deletion; checked again in the transaction.
      rejectStale(post.modifiedGmt, unchangedSince)
      await announceDeletion(hooks, post)
      if (!(await writer.delete(id, unchangedSince))) return undefined
      await announceDeleted(hooks, post)
      return post
    },

    async reassign(authorId, to) {
      await write(async (handle) => {
        const moved = await handle
          .updateTable('posts')
          .set({ author_id: to })
          .where('author_id', '=', authorId)
          .returning('id')
          .execute()
        if (structure().tags.has('author'))
          await refreshPaths(
            handle,
            moved.map(({ id }) => id),
            parts,
          )
      })
    },

    async neighbors({ id, type, date }, user) {
      const from = { id, type, date: date.replace('T', ' ') }
      const isFiltered = user !== undefined && !readers.isByStatus([type])
      const adjacent = async (side: 'previous' | 'next') => {
        const readRange = async (range: { limit: number; offset: number }) =>
          (await queryAdjacent(db, from, side, range)).map(read)
        const first = { limit: 1, offset: 0 }
        if (!isFiltered) return (await readRange(first))[0]
        const pick = (some: readonly Post[]) => readers.readable(some, user)
        return (await sift(readRange, pick, { ...first, isCounted: false })).items[0]
      }
      return { previous: await adjacent('previous'), next: await adjacent('next') }
    },

    // cspell:ignore neighbours
    neighbours: deprecate(
      (...asked: Parameters<Posts['neighbors']>) => posts.neighbors(...asked),
      'content.posts.neighbours was renamed to content.posts.neighbors.',
      'PENTAD_NEIGHBOURS',
    ),

    counts: (query) => countPosts(db, query),
    periods: (query, type = 'post') => queryPeriods(db, type, query),
    revisions: (ids) => queryRevisions(db, ids),
  }

  /** A page and a post may have the same slug: as in WordPress, the page takes precedence. Public posts come before private ones. */
  function precedence({ status, type }: Post): number {
    const hierarchical = registrations.postTypes().get(type)?.hierarchical ?? false
    return (status === 'private' ? 4 : 0) + (hierarchical ? 0 : type === 'attachment' ? 2 : 1)
  }

  return posts
}
