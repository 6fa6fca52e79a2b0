import { sql } from 'kysely'
import type { ContentParts } from '../parts.ts'
import { shownName, slugInPath } from '../post-formats.ts'
import type { Db, TermRow } from '../rows.ts'
import type { Term } from '../types.ts'

type Node = Pick<TermRow, 'id' | 'slug' | 'parent_id'>

/** Terms, frozen, with the paths of their archives: `/category/travel/europe/`. One more statement if any of them has parents. */
export async function withPaths(
  db: Db,
  rows: readonly TermRow[],
  { registrations, structure }: Pick<ContentParts, 'registrations' | 'structure'>,
): Promise<Term[]> {
  const { end } = structure()
  const taxonomies = registrations.taxonomies()
  const paths = await slugPathsOf(db, rows)
  return rows.map((row) => {
    const taxonomy = taxonomies.get(row.taxonomy)
    const slugs = taxonomy?.hierarchical ? paths.get(row.id) : slugInPath(row.taxonomy, row.slug)
    return Object.freeze({
      id: row.id,
      taxonomy: row.taxonomy,
      name: shownName(row),
      slug: row.slug,
      description: row.description,
      parentId: row.parent_id,
      count: row.count,
      path: taxonomy?.public ? `/${taxonomy.rewriteSlug}/${slugs}${end}` : '',
    })
  })
}

/** The slugs of each term and those above it, `travel/europe`, by id (WordPress's `get_category_parents`). */
export async function slugPathsOf(db: Db, rows: readonly Node[]): Promise<Map<number, string>> {
  const known = new Map<number, Node>(rows.map((row) => [row.id, row]))
  const missing = [...new Set(rows.map((row) => row.parent_id))].filter((id) => id !== 0 && !known.has(id))
  if (missing.length > 0) {
    // `union` and not `union all`: a circle ends.
    const above = await sql<Node>`
      with recursive above(id) as (
        select id from terms where id in (${sql.join(missing.map((id) => sql.lit(id)))})
        union select terms.parent_id from terms join above on terms.id = above.id where terms.parent_id <> 0)
      select id, slug, parent_id from terms where id in (select id from above)`.execute(db)
    for (const row of above.rows) known.set(row.id, row)
  }

  function slugsOf(row: Node): string {
    const slugs: string[] = []
    const seen = new Set<number>()
    let at: Node | undefined = row
    while (at && !seen.has(at.id)) {
      seen.add(at.id)
      slugs.unshift(at.slug)
      at = known.get(at.parent_id)
    }
    return slugs.join('/')
  }

  return new Map(rows.map((row) => [row.id, slugsOf(row)]))
}
