import { sql } from 'kysely'
import { createYield, type ExtensionHost, type Taxonomy, type Term } from 'pentad'
import type { Indexable } from '../indexable.ts'
import { isoOf, newer } from './last-modified.ts'
import type { Memo } from './memo.ts'
import { type Dated, pagedMaps } from './paged-maps.ts'
import type { Maps, SitemapUrl } from './types.ts'

/** Terms per statement. */
const AT_ONCE = 50
/** Maximum depth, which ends a loop of parents. */
const DEPTH = 20

interface TermRow {
  readonly id: number
  readonly parent: number
  readonly modified: string
}

/** Sitemaps of the archives of a taxonomy: terms with posts, including those of child terms. */
export function createTermMaps(
  host: Pick<ExtensionHost, 'content' | 'database'>,
  parts: { taxonomy: Taxonomy; indexable: Indexable; mostUrls: number; memo: Memo<SitemapUrl[]> },
): Maps {
  const { content, database } = host
  const { taxonomy, indexable, mostUrls, memo } = parts
  const types = taxonomy.types.filter((type) => type !== 'attachment' && content.postTypes().get(type)?.public)

  async function idsAfter(id: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select id from terms where taxonomy = ${taxonomy.name} and id > ${id} order by id limit ${sql.lit(AT_ONCE)}`.execute(
      database.db,
    )
    return rows.map((row) => row.id)
  }

  /** Terms with posts and their last modification. */
  async function datedRows(ids: readonly number[]): Promise<TermRow[]> {
    // SQLite preserves the order of a cross join. Otherwise it would scan all posts for each term.
    const { rows } = await sql<TermRow>`
      select terms.id, terms.parent_id as parent, max(posts.modified_gmt) as modified
      from terms cross join term_relationships cross join posts
      where terms.id in (${sql.join(ids)}) and term_relationships.term_id = terms.id
        and posts.id = term_relationships.post_id and posts.status = 'publish' and posts.type in (${sql.join(types)})
      group by terms.id, terms.parent_id`.execute(database.db)
    return rows
  }

  /** Last modification of each archive by term ID; terms without posts are missing. */
  async function dated(): Promise<Dated[]> {
    if (types.length === 0) return []
    const rows: TermRow[] = []
    const yieldTurn = createYield()
    for (let ids = await idsAfter(0); ids.length > 0; ids = await idsAfter(ids.at(-1) ?? 0)) {
      rows.push(...(await datedRows(ids)))
      // The statements of SQLite block the event loop.
      await yieldTurn()
    }
    const moments = new Map(rows.map(({ id, modified }) => [id, isoOf(modified)]))
    if (taxonomy.hierarchical) await lendToParents(rows, moments)
    return [...moments].map(([id, lastModified]) => ({ id, lastModified }))
  }

  async function lendToParents(rows: readonly { id: number; parent: number }[], moments: Map<number, string>) {
    let level = rows.map(({ id, parent }) => ({ parent, moment: moments.get(id) }))
    for (let depth = 0; level.length > 0 && depth < DEPTH; depth++) {
      const known = await content.terms.getMany([...new Set(level.map(({ parent }) => parent))].filter((id) => id > 0))
      const above = level.flatMap(({ parent, moment }) => {
        const term = known.get(parent)
        if (!term) return []
        moments.set(parent, newer(moments.get(parent), moment) ?? '')
        return [{ parent: term.parentId, moment }]
      })
      level = above
    }
  }

  async function listed(ids: readonly number[]): Promise<Map<number, string>> {
    const found = await content.terms.getMany(ids)
    const terms: Term[] = ids.flatMap((id) => found.get(id) ?? [])
    return new Map((await indexable.terms(terms)).map((term) => [term.id, content.link(term)]))
  }

  return {
    ...pagedMaps({ dated, listed, mostUrls, memo: (work) => memo(`taxonomies-${taxonomy.name}`, work) }),
    // Dates are those of the posts.
    tags: [`sitemap-taxonomies-${taxonomy.name}`, ...types.map((type) => `sitemap-posts-${type}`)],
  }
}
