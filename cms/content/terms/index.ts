import { sql } from 'kysely'
import { isRowId } from '../../../core/database/row-id.ts'
import { RestError } from '../../../core/errors.ts'
import { AFTER_COMMIT } from '../../../core/hooks/index.ts'
import { announceMeta, insertMeta, type MetaChange } from '../meta/changes.ts'
import { withoutCircle } from '../no-circle.ts'
import type { ContentParts } from '../parts.ts'
import { refreshPaths } from '../posts/paths.ts'
import { cleanText, type Db, inChunks, type TermRow } from '../rows.ts'
import { numberedSlug, sanitizeTitle } from '../slug.ts'
import type { NewTerm, Term, TermQuery, Terms } from '../types.ts'
import { announceDeleted, announceSaved } from './announce.ts'
import { withPaths } from './paths.ts'
import { queryTerms } from './query.ts'
import { recount, replaceTerms, termIdsOf } from './relationships.ts'

/** Categories, tags and terms of every other taxonomy. */
export function createTerms(parts: ContentParts): Terms {
  const { database, hooks, registrations, settings, write } = parts
  const { db } = database

  async function read(rows: TermRow[]): Promise<Term[]> {
    return withPaths(db, rows, parts)
  }

  async function get(id: number): Promise<Term | undefined> {
    if (!isRowId(id)) return undefined
    const rows = await db.selectFrom('terms').selectAll().where('id', '=', id).execute()
    return (await read(rows))[0]
  }

  const slugOf = (from: string) => hooks.applyFilters('sanitize_title', sanitizeTitle(from, settings().language), from)

  /** WordPress's `wp_unique_term_slug`: appends the slugs of the parents, then numbers. */
  async function uniqueSlug(handle: Db, term: Omit<TermRow, 'id' | 'count'> & { id: number }): Promise<string> {
    const isFree = async (slug: string) =>
      (await handle
        .selectFrom('terms')
        .select('id')
        .where('taxonomy', '=', term.taxonomy)
        .where('slug', '=', slug)
        .where('id', '!=', term.id)
        .executeTakeFirst()) === undefined
    if (await isFree(term.slug)) return term.slug
    const parent = await handle.selectFrom('terms').select('slug').where('id', '=', term.parent_id).executeTakeFirst()
    const base = parent ? `${term.slug}-${parent.slug}` : term.slug
    if (parent && base.length <= 200 && (await isFree(base))) return base
    for (let number = 2; ; number++) {
      const slug = numberedSlug(base, number)
      if (await isFree(slug)) return slug
    }
  }

  async function checkParent(handle: Db, taxonomy: string, id: number, parentId: number): Promise<number> {
    if (parentId === 0) return 0
    const below = await handle
      .selectFrom('terms')
      .select('id')
      .where('taxonomy', '=', taxonomy)
      .where('id', '=', isRowId(parentId) ? parentId : -1)
      .executeTakeFirst()
    if (!below) throw new RestError('rest_term_invalid', 'Parent term does not exist.', { status: 400 })
    return id === 0 ? parentId : withoutCircle(handle, 'terms', id, parentId)
  }

  /** Like `wp_insert_term`: names are unique among siblings, unless a free slug is specified. */
  async function rejectDuplicate(
    handle: Db,
    { taxonomy, name, parentId, ownSlug }: { taxonomy: string; name: string; parentId: number; ownSlug: string },
  ): Promise<void> {
    const hierarchical = registrations.taxonomies().get(taxonomy)?.hierarchical ?? true
    const inTaxonomy = handle.selectFrom('terms').select(['id', 'name', 'parent_id']).where('taxonomy', '=', taxonomy)
    const sameSlug = await inTaxonomy.where('slug', '=', ownSlug || slugOf(name)).execute()
    if (ownSlug !== '' && sameSlug.length === 0) return
    const sameName = await inTaxonomy
      .where('name', '=', name)
      .$if(hierarchical, (query) => query.where('parent_id', '=', parentId))
      .orderBy('id')
      .limit(1)
      .execute()
    // Names that differ in case only have the same slug.
    const isTwin = (term: (typeof sameSlug)[number]) =>
      term.name.toLowerCase() === name.toLowerCase() && (!hierarchical || term.parent_id === parentId)
    const [twin] = [...sameName, ...sameSlug].filter(isTwin).sort((a, b) => a.id - b.id)
    if (!twin) return
    const message = hierarchical
      ? 'A term with the name provided already exists with this parent.'
      : 'A term with the name provided already exists in this taxonomy.'
    throw new RestError('term_exists', message, { status: 400, term_id: twin.id })
  }

  async function insertRow(handle: Db, taxonomy: string, term: NewTerm): Promise<{ row: TermRow; meta: MetaChange[] }> {
    const name = cleanText(term.name).trim()
    if (name === '') throw new RestError('empty_term_name', 'A name is required for this term.', { status: 400 })
    const parentId = await checkParent(handle, taxonomy, 0, term.parentId ?? 0)
    const ownSlug = term.slug ? slugOf(term.slug) : ''
    await rejectDuplicate(handle, { taxonomy, name, parentId, ownSlug })
    const values = {
      taxonomy,
      name,
      slug: ownSlug || slugOf(name),
      description: cleanText(term.description ?? ''),
      parent_id: parentId,
    }
    const slug = await uniqueSlug(handle, { ...values, slug: values.slug || 'term', id: 0 })
    const isFree =
      term.id !== undefined &&
      isRowId(term.id) &&
      !(await handle.selectFrom('terms').select('id').where('id', '=', term.id).executeTakeFirst())
    const row = await handle
      .insertInto('terms')
      .values({ ...values, slug, ...(isFree ? { id: term.id } : {}) })
      .returningAll()
      .executeTakeFirstOrThrow()
    if (isFree && database.kind === 'postgres')
      await sql`select setval(pg_get_serial_sequence('terms', 'id'), (select max(id) from terms))`.execute(handle)
    return { row, meta: await insertMeta(handle, 'term', row.id, term.meta ?? {}) }
  }

  /** Whether the addresses of posts name their terms. */
  const isInPaths = (taxonomy: string) => taxonomy === 'category' && parts.structure().tags.has('category')

  /** Posts whose URLs may contain the slug of the term: those of the term and its descendants. */
  async function namedBy(handle: Db, { id, taxonomy }: Pick<TermRow, 'id' | 'taxonomy'>): Promise<number[]> {
    if (!isInPaths(taxonomy)) return []
    const { rows } = await sql<{ post_id: number }>`
      with recursive below(id) as (
        select id from terms where id = ${id}
        union select terms.id from terms join below on terms.parent_id = below.id)
      select distinct post_id from term_relationships where term_id in (select id from below)`.execute(handle)
    return rows.map((row) => row.post_id)
  }

  const terms: Terms = {
    get,

    async getMany(ids) {
      const rows = await inChunks(ids, async (some) => {
        const { rows } = await sql<TermRow>`select * from terms where id in (${sql.join(some)})`.execute(db)
        return rows
      })
      const byId = new Map((await read(rows)).map((term) => [term.id, term]))
      return new Map(ids.flatMap((id) => byId.get(id) ?? []).map((term) => [term.id, term]))
    },

    async getBySlug(taxonomy, slug) {
      const rows = await db
        .selectFrom('terms')
        .selectAll()
        .where('taxonomy', '=', cleanText(taxonomy))
        .where('slug', '=', cleanText(slug))
        .execute()
      return (await read(rows))[0]
    },

    async query(query: TermQuery) {
      const { rows, total } = await queryTerms(db, query)
      return { items: await read(rows), total }
    },

    async insert(taxonomy, term) {
      const { row, meta } = await write((handle) => insertRow(handle, cleanText(taxonomy), term))
      const [inserted] = await read([row])
      if (!inserted) throw new Error('The term was not stored.')
      await announceMeta(hooks, 'term', inserted.id, meta)
      await announceSaved(hooks, inserted, { update: false, args: term })
      return inserted
    },

    async update(id, changes) {
      const known = await get(id)
      if (known) await hooks.doActionAsync('edit_terms', id, known.taxonomy, changes)
      const row = await write(async (handle) => {
        const before = isRowId(id)
          ? await handle.selectFrom('terms').selectAll().where('id', '=', id).executeTakeFirst()
          : undefined
        if (!before) throw new RestError('rest_term_invalid', 'Term does not exist.', { status: 404 })
        const name = changes.name === undefined ? before.name : cleanText(changes.name).trim()
        if (name === '') throw new RestError('empty_term_name', 'A name is required for this term.', { status: 400 })
        const parent_id =
          changes.parentId === undefined
            ? before.parent_id
            : await checkParent(handle, before.taxonomy, id, changes.parentId)
        const description = changes.description === undefined ? before.description : cleanText(changes.description)
        const asked = changes.slug === undefined ? before.slug : slugOf(changes.slug || name)
        const slug = await uniqueSlug(handle, { ...before, parent_id, slug: asked || before.slug })
        // Like `wp_update_term`: an explicit slug that is taken is an error.
        if (changes.slug && slug !== asked && parent_id === before.parent_id) {
          const message = `The slug “${asked}” is already in use by another term.`
          throw new RestError('duplicate_term_slug', message, { status: 400 })
        }
        const after = await handle
          .updateTable('terms')
          .set({ name, parent_id, description, slug })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow()
        if (slug !== before.slug || parent_id !== before.parent_id)
          await refreshPaths(handle, await namedBy(handle, before), parts)
        return after
      })
      const [updated] = await read([row])
      if (!updated) throw new Error('The term was not stored.')
      await announceSaved(hooks, updated, { update: true, args: changes })
      return updated
    },

    async delete(id) {
      const term = await get(id)
      if (!term) return
      await hooks.doActionAsync('pre_delete_term', id, term.taxonomy)
      const { postIds, moved } = await write((handle) => deleteRow(handle, term))
      const fallback = settings().defaultCategory
      for (const postId of moved)
        await hooks
          .limited(AFTER_COMMIT)
          .doActionAsync('set_object_terms', postId, [fallback], [fallback], term.taxonomy, false, [id])
      await announceDeleted(hooks, term, postIds)
    },

    async ofPosts(postIds) {
      // Written out: every page and list asks this, and building the statement takes longer than running it.
      const rows = await inChunks(postIds, async (some) => {
        const { rows } = await sql<{ post_id: number; id: number; taxonomy: string }>`
          select relation.post_id, terms.id, terms.taxonomy
          from term_relationships as relation join terms on terms.id = relation.term_id
          where relation.post_id in (${sql.join(some)})
          order by relation.term_order, lower(terms.name), terms.id`.execute(db)
        return rows
      })
      const found = new Map<number, Record<string, number[]>>(postIds.map((id) => [id, {}]))
      for (const { post_id: postId, id, taxonomy } of rows) {
        const byTaxonomy = found.get(postId)
        // An unregistered taxonomy may have the name of an inherited property.
        if (byTaxonomy && Object.hasOwn(byTaxonomy, taxonomy)) byTaxonomy[taxonomy]?.push(id)
        else if (byTaxonomy) byTaxonomy[taxonomy] = [id]
      }
      return found
    },

    async setForPost(postId, taxonomy, termIds) {
      const set = await write(async (handle) => {
        const done = await replaceTerms(handle, postId, taxonomy, termIds)
        await recount(handle, [...done.oldIds, ...done.newIds])
        if (isInPaths(taxonomy)) await refreshPaths(handle, [postId], parts)
        return done
      })
      await hooks
        .limited(AFTER_COMMIT)
        .doActionAsync('set_object_terms', postId, termIds, set.newIds, taxonomy, false, set.oldIds)
    },
  }

  /** Children move up; posts that are left without a category get the default one, as in WordPress. */
  async function deleteRow(
    handle: Db,
    { id, taxonomy, parentId }: Term,
  ): Promise<{ postIds: number[]; moved: number[] }> {
    const relations = await handle
      .selectFrom('term_relationships')
      .select('post_id')
      .where('term_id', '=', id)
      .execute()
    const postIds = relations.map((row) => row.post_id)
    const named = await namedBy(handle, { id, taxonomy })
    await handle.updateTable('terms').set({ parent_id: parentId }).where('parent_id', '=', id).execute()
    await handle.deleteFrom('terms').where('id', '=', id).execute()
    const moved = taxonomy === 'category' ? await toDefaultCategory(handle, id, postIds) : []
    await refreshPaths(handle, named, parts)
    return { postIds, moved }
  }

  /** Resolves to the posts that had no other category. */
  async function toDefaultCategory(handle: Db, deleted: number, postIds: readonly number[]): Promise<number[]> {
    const fallback = settings().defaultCategory
    if (fallback === deleted) return []
    const moved: number[] = []
    for (const postId of postIds) {
      const left = await handle
        .selectFrom('terms')
        .select('id')
        .where('taxonomy', '=', 'category')
        .where('id', 'in', [0, ...(await termIdsOf(handle, postId))])
        .executeTakeFirst()
      if (left) continue
      await replaceTerms(handle, postId, 'category', [fallback])
      moved.push(postId)
    }
    await recount(handle, [fallback])
    return moved
  }

  return terms
}
