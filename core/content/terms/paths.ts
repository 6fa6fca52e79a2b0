import { sql } from 'kysely'
import type { Registrations } from '../registrations.ts'
import type { Db, TermRow } from '../rows.ts'
import type { Term } from '../types.ts'

/** Terms with the paths of their archives: `/category/travel/europe/`. One more statement if any of them has parents. */
export async function withPaths(
  db: Db,
  rows: readonly TermRow[],
  registrations: Pick<Registrations, 'taxonomies'>,
): Promise<Term[]> {
  const known = new Map<number, Pick<TermRow, 'id' | 'slug' | 'parent_id'>>(rows.map((row) => [row.id, row]))
  const missing = [...new Set(rows.map((row) => row.parent_id))].filter((id) => id !== 0 && !known.has(id))
  if (missing.length > 0) {
    // `union` and not `union all`: a circle ends.
    const above = await sql<{ id: number; slug: string; parent_id: number }>`
      with recursive above(id) as (
        select id from terms where id in (${sql.join(missing.map((id) => sql.lit(id)))})
        union select terms.parent_id from terms join above on terms.id = above.id where terms.parent_id <> 0)
      select id, slug, parent_id from terms where id in (select id from above)`.execute(db)
    for (const row of above.rows) known.set(row.id, row)
  }

  function slugsOf(row: TermRow): string {
    const slugs: string[] = []
    const seen = new Set<number>()
    let at: Pick<TermRow, 'id' | 'slug' | 'parent_id'> | undefined = row
    while (at && !seen.has(at.id)) {
      seen.add(at.id)
      slugs.unshift(at.slug)
      at = known.get(at.parent_id)
    }
    return slugs.join('/')
  }

  return rows.map((row) => {
    const taxonomy = registrations.taxonomies().get(row.taxonomy)
    const slugs = taxonomy?.hierarchical ? slugsOf(row) : row.slug
    return {
      id: row.id,
      taxonomy: row.taxonomy,
      name: row.name,
      slug: row.slug,
      description: row.description,
      parentId: row.parent_id,
      count: row.count,
      path: taxonomy?.public ? `/${taxonomy.rewriteSlug}/${slugs}/` : '',
    }
  })
}
