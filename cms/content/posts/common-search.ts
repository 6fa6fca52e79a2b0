import type { RawBuilder, SelectQueryBuilder } from 'kysely'
import type { Schema } from '../../../core/database/index.ts'
import type { Db, PostRow } from '../rows.ts'

/** Maximum number of matches that are ranked one by one, which reads all occurrences of the words. */
export const RANKED = 500

/**
 * A page of a search that finds more posts than are ranked: the posts of each group, newest first. The index is read in the order of the
 * IDs, and only up to the end of the page.
 */
export async function readCommonMatches(
  db: Db,
  matching: SelectQueryBuilder<Schema, 'posts', object>,
  asked: {
    readonly groups: readonly RawBuilder<{ id: number }>[]
    readonly limit: number
    readonly offset: number
  },
): Promise<PostRow[]> {
  const ids: number[] = []
  let skipped = asked.offset
  for (const group of asked.groups) {
    const missing = asked.limit - ids.length
    if (missing === 0) break
    const found = await matching
      .innerJoin(group.as<'found'>('found'), 'found.id', 'posts.id')
      .select('found.id')
      .orderBy('found.id', 'desc')
      .limit(skipped + missing)
      .execute()
    ids.push(...found.slice(skipped).map(({ id }) => id))
    skipped = Math.max(0, skipped - found.length)
  }
  if (ids.length === 0) return []
  const rows = await db.selectFrom('posts').selectAll().where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
