import { sql } from 'kysely'
import { isRowId } from '../../../core/database/row-id.ts'
import { cleanText, type Db, inChunks } from '../rows.ts'

/** Result of replacing a post's terms of one taxonomy. */
export interface SetTerms {
  readonly taxonomy: string
  readonly askedIds: readonly number[]
  readonly oldIds: readonly number[]
  readonly newIds: readonly number[]
}

/** Replaces a post's terms of one taxonomy; unknown ids and those of other taxonomies are ignored. Does not update counts. */
export async function replaceTerms(
  db: Db,
  postId: number,
  taxonomy: string,
  askedIds: readonly number[],
  { isNew = false }: { isNew?: boolean } = {},
): Promise<SetTerms> {
  const known = await inChunks(askedIds, (some) =>
    db.selectFrom('terms').select('id').where('id', 'in', some).where('taxonomy', '=', cleanText(taxonomy)).execute(),
  )
  const newIds = known.map(({ id }) => id)
  const old = isNew
    ? []
    : await db
        .selectFrom('term_relationships')
        .innerJoin('terms', 'terms.id', 'term_relationships.term_id')
        .select('terms.id')
        .where('term_relationships.post_id', '=', postId)
        .where('terms.taxonomy', '=', cleanText(taxonomy))
        .execute()
  const oldIds = old.map(({ id }) => id)
  const [before, after] = [new Set(oldIds), new Set(newIds)]
  await inChunks(before.difference(after), (gone) =>
    db.deleteFrom('term_relationships').where('post_id', '=', postId).where('term_id', 'in', gone).execute(),
  )
  await inChunks(after.difference(before), (added) =>
    db
      .insertInto('term_relationships')
      .values(added.map((id) => ({ post_id: postId, term_id: id, term_order: 0 })))
      .execute(),
  )
  return { taxonomy, askedIds, oldIds, newIds }
}

/** Counts a new post in its terms, with the same result as `recount`, but without counting all posts. */
export async function countNew(db: Db, termIds: readonly number[], status: string): Promise<void> {
  if (status !== 'publish') return
  await inChunks(termIds, async (ids) => {
    const { rows } = await sql`update terms set count = count + 1 where id in (${sql.join(ids)})`.execute(db)
    return rows
  })
}

/** Recounts the published posts of each term. */
export async function recount(db: Db, termIds: readonly number[]): Promise<void> {
  await inChunks(termIds, async (ids) => {
    const { rows } = await sql`
      update terms set count = (
        select count(*) from term_relationships join posts on posts.id = term_relationships.post_id
        where term_relationships.term_id = terms.id and posts.status = 'publish')
      where id in (${sql.join(ids)})`.execute(db)
    return rows
  })
}

export async function termIdsOf(db: Db, postId: number): Promise<number[]> {
  if (!isRowId(postId)) return []
  const rows = await db.selectFrom('term_relationships').select('term_id').where('post_id', '=', postId).execute()
  return rows.map((row) => row.term_id)
}
