import { sql } from 'kysely'
import { isRowId } from '../../../core/database/row-id.ts'
import { RestError } from '../../../core/errors.ts'
import { insertMeta, type MetaChange, replaceMeta } from '../meta/changes.ts'
import { withoutCircle } from '../no-circle.ts'
import type { ContentParts } from '../parts.ts'
import { cleanText, type Db, type PostRow } from '../rows.ts'
import { isFoundAlike, type SearchEntry, type Searched } from '../search/index.ts'
import { gmtNow, readTime } from '../site-time.ts'
import { countNew, recount, replaceTerms, type SetTerms, termIdsOf } from '../terms/relationships.ts'
import type { NewPost, Post } from '../types.ts'
import { noteOldPath } from './former-paths.ts'
import { noteOldSlug } from './old-slugs.ts'
import { pathOf, plainAddress, refreshPathsBelow } from './paths.ts'
import { type PreparedPost, preparePost } from './prepare.ts'
import { rowOf } from './read-rows.ts'
import { type KeepRevisions, type StoredRevisions, storeRevisions } from './revisions.ts'
import { moveByTrash } from './trash.ts'
import { uniqueSlug } from './unique-slug.ts'

export interface SavedPost {
  readonly before: PostRow | undefined
  readonly after: PostRow
  readonly setTerms: readonly SetTerms[]
  readonly meta: readonly MetaChange[]
  readonly revisions: StoredRevisions
}

/** Saves a post with meta, terms, paths, counts and search index, all or nothing. Fires no hooks except `sanitize_title`. */
export interface PostWriter {
  insert(post: NewPost): Promise<SavedPost>
  /**
   * @param known the post as it was read last
   * @throws RestError `rest_post_invalid_id`, `rest_post_modified`
   */
  update(known: Post, changes: NewPost, revisions: KeepRevisions): Promise<SavedPost>
  /** Publishes a scheduled post that is due; `undefined` if another process did, or it is no longer due. */
  publishIfDue(id: number): Promise<SavedPost | undefined>
  /** Whether there was such a post. @throws RestError `rest_post_modified` */
  delete(id: number, unchangedSince: string | undefined): Promise<boolean>
}

export function createPostWriter(parts: ContentParts): PostWriter {
  const { database, registrations, search, settings, siteUrl, write: transaction } = parts

  /** Inserts the row without its text, which `settle` writes: SQLite rewrites the entire row on an update. */
  async function insertRow(db: Db, post: PreparedPost, wantedId: number | undefined): Promise<PostRow> {
    const values = { ...post, path: '', content: '' }
    const isFree =
      wantedId !== undefined &&
      isRowId(wantedId) &&
      !(await db.selectFrom('posts').select('id').where('id', '=', wantedId).executeTakeFirst())
    const row = await db
      .insertInto('posts')
      .values(isFree ? { ...values, id: wantedId } : values)
      .returningAll()
      .executeTakeFirstOrThrow()
    if (isFree && database.kind === 'postgres')
      await sql`select setval(pg_get_serial_sequence('posts', 'id'), (select max(id) from posts))`.execute(db)
    return { ...row, content: post.content }
  }

  /** Sets values that require the id of the post: slug, path, guid. The text of a new post is written with them. */
  async function settle(db: Db, row: PostRow, before: PostRow | undefined, reserve = false): Promise<PostRow> {
    const isDraft = ['draft', 'pending', 'auto-draft'].includes(row.status)
    const wanted = row.slug === '' && !isDraft ? String(row.id) : row.slug
    const status = isDraft && reserve ? 'publish' : row.status
    const slug = await uniqueSlug(db, { ...row, slug: wanted, status }, parts, before)
    const path = await pathOf(db, { ...row, slug }, parts)
    const guid = row.guid === '' ? `${siteUrl}${plainAddress(row)}` : row.guid
    const after = { ...row, slug, path, guid }
    const settled = { slug, path, guid, ...(!before && { content: row.content }) }
    if (!before || slug !== row.slug || path !== row.path || guid !== row.guid)
      await db.updateTable('posts').set(settled).where('id', '=', row.id).execute()
    const moved = before && (before.slug !== slug || before.path !== path || before.parent_id !== row.parent_id)
    if (moved || before?.status !== row.status) await refreshPathsBelow(db, after, parts)
    return after
  }

  async function writeTerms(db: Db, row: PostRow, terms: NewPost['terms'], isNew = false): Promise<SetTerms[]> {
    const set: SetTerms[] = []
    for (const [taxonomy, ids] of Object.entries(terms ?? {}))
      set.push(await replaceTerms(db, row.id, taxonomy, ids, { isNew }))
    return set
  }

  /** A post of a type with categories is never without one (WordPress's default category). */
  async function withDefaultCategory(db: Db, post: PreparedPost, terms: NewPost['terms']): Promise<NewPost['terms']> {
    const usesCategories = registrations.postTypes().get(post.type)?.taxonomies.includes('category')
    if (!usesCategories || post.status === 'auto-draft' || terms?.category?.length) return terms
    const id = settings().defaultCategory
    const term = await db
      .selectFrom('terms')
      .select('id')
      .where('id', '=', id)
      .where('taxonomy', '=', 'category')
      .executeTakeFirst()
    return term ? { ...terms, category: [id] } : terms
  }

  async function insert(post: NewPost): Promise<SavedPost> {
    const prepared = preparePost(parts, post, undefined)
    const entry = await search.entry(prepared)
    return transaction(async (db) => {
      const inserted = await insertRow(db, prepared, post.id)
      // Before the path, which may name a category.
      const setTerms = await writeTerms(db, inserted, await withDefaultCategory(db, prepared, post.terms), true)
      const after = await settle(db, inserted, undefined, post.reserveSlug)
      const meta = await insertMeta(db, 'post', after.id, post.meta ?? {})
      const termIds = setTerms.flatMap(({ newIds }) => newIds)
      await countNew(db, termIds, after.status)
      await search.put(db, after, entry)
      return { before: undefined, after, setTerms, meta, revisions: { saved: [], deleted: [] } }
    })
  }

  async function update(known: Post, changes: NewPost, revisions: KeepRevisions): Promise<SavedPost> {
    const wanted = searchedAfter(known, changes)
    const entry = isFoundAlike(known, wanted) ? undefined : await search.entry(wanted)
    return transaction(async (db) => {
      const before = await rowOf(db, known.id)
      if (!before) throw new RestError('rest_post_invalid_id', 'Invalid post ID.', { status: 404 })
      rejectStale(before.modified_gmt, changes.unchangedSince)
      return change(db, before, await moveByTrash(db, before, changes), revisions, entry)
    })
  }

  async function publishIfDue(id: number): Promise<SavedPost | undefined> {
    return transaction(async (db) => {
      const before = await rowOf(db, id)
      if (before?.status !== 'future' || before.date_gmt > gmtNow()) return undefined
      // Like WordPress's `wp_publish_post`: publishing does not count as a modification.
      const { modified, modified_gmt: modifiedGmt } = before
      const isChanged = () => false
      const revisions = { limit: 0, userId: undefined, isChanged }
      return change(db, before, { status: 'publish', modified, modifiedGmt }, revisions)
    })
  }

  async function change(
    db: Db,
    before: PostRow,
    changes: NewPost,
    keep: KeepRevisions,
    entry?: SearchEntry,
  ): Promise<SavedPost> {
    const { id } = before
    const prepared = preparePost(parts, changes, before)
    if (prepared.parent_id !== before.parent_id)
      prepared.parent_id = await withoutCircle(db, 'posts', id, prepared.parent_id)
    const values = changedIn(prepared, before)
    if (Object.keys(values).length > 0) await db.updateTable('posts').set(values).where('id', '=', id).execute()
    const setTerms = await writeTerms(db, before, changes.terms)
    const after = await settle(db, { ...before, ...prepared }, before, changes.reserveSlug)
    const meta = await replaceMeta(db, 'post', id, changes.meta ?? {})
    const hierarchical = registrations.postTypes().get(after.type)?.hierarchical ?? false
    await noteOldSlug(db, before, after, hierarchical)
    await noteOldPath(db, before, after)
    const touched = setTerms.flatMap(({ oldIds, newIds }) => [...oldIds, ...newIds])
    if (before.status !== after.status) touched.push(...(await termIdsOf(db, id)))
    await recount(db, touched)
    const revisions = await storeRevisions(db, before, after, keep)
    if (!isFoundAlike(before, after)) await search.put(db, after, entry ?? (await search.entry(after)))
    return { before, after, setTerms, meta, revisions }
  }

  async function remove(id: number, unchangedSince: string | undefined): Promise<boolean> {
    return transaction(async (db) => {
      const before = await rowOf(db, id)
      if (!before) return false
      rejectStale(before.modified_gmt, unchangedSince)
      const terms = await termIdsOf(db, id)
      const revisions = await db
        .deleteFrom('posts')
        .where('parent_id', '=', id)
        .where('type', '=', 'revision')
        .returning('id')
        .execute()
      const children = await db
        .updateTable('posts')
        .set({ parent_id: before.parent_id })
        .where('parent_id', '=', id)
        .returningAll()
        .execute()
      await search.remove(db, [id, ...revisions.map((row) => row.id)])
      await db.deleteFrom('posts').where('id', '=', id).execute()
      for (const child of children) await settle(db, child, { ...child, parent_id: id })
      await recount(db, terms)
      return true
    })
  }

  return { insert, update, publishIfDue, delete: remove }
}

/** The columns whose values change: a database updates each index of every column that is set. */
function changedIn<Row extends object>(wanted: Row, stored: Row): Partial<Row> {
  const changed: Partial<Row> = {}
  for (const name in wanted) if (wanted[name] !== stored[name]) changed[name] = wanted[name]
  return changed
}

/** The fields that determine the indexed words after the changes are stored. */
function searchedAfter(known: Searched, changes: NewPost): Searched {
  const text = (name: 'title' | 'content' | 'excerpt' | 'password') => cleanText(changes[name] ?? known[name])
  return {
    ...{ type: changes.type ?? known.type, status: changes.status ?? known.status },
    ...{ title: text('title'), content: text('content'), excerpt: text('excerpt'), password: text('password') },
  }
}

/**
 * Rejects a save or deletion based on an outdated version; the error contains the current one.
 * @param modifiedGmt last modification of the post, with a space or a `T` in the middle
 * @throws RestError 409 `rest_post_modified`
 */
export function rejectStale(modifiedGmt: string, unchangedSince: string | undefined): void {
  const seen = readTime('modified_gmt', unchangedSince)
  if (seen === undefined || seen >= modifiedGmt.replace('T', ' ')) return
  const modified = modifiedGmt.replace(' ', 'T')
  const message = 'The post has changed since you loaded it. Reload it, then save again.'
  throw new RestError('rest_post_modified', message, { status: 409, modified_gmt: modified })
}
