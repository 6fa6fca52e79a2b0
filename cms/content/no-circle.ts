import { sql } from 'kysely'
import type { Db } from './rows.ts'

/**
 * The parent that a post, a term or a comment may have: 0 instead of one of its descendants, so that cycles are
 * cut, as WordPress's `wp_check_post_hierarchy_for_loops` and `wp_check_term_hierarchy_for_loops` do.
 */
export async function withoutCircle(
  db: Db,
  table: 'posts' | 'terms' | 'comments',
  id: number,
  parentId: number,
): Promise<number> {
  if (parentId === 0) return 0
  const { rows } = await sql<{ id: number }>`
    with recursive above(id) as (select ${sql.lit(parentId)} union
      select child.parent_id from ${sql.table(table)} as child join above on child.id = above.id
      where child.parent_id <> 0)
    select id from above`.execute(db)
  return rows.some((row) => row.id === id) ? 0 : parentId
}
