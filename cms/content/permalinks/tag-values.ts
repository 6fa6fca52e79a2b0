import { type Db, inChunks, type PostRow } from '../rows.ts'
import { slugPathsOf } from '../terms/paths.ts'
import type { Structure, TagValues } from './structure.ts'

type TaggedPost = Pick<PostRow, 'id' | 'slug' | 'date' | 'author_id'>

/**
 * Values of the structure's tags for each post (WordPress's `get_permalink`): of several categories the one with the lowest id, the default
 * category for a post without one, dates in the site's time zone.
 */
export async function tagValues(
  db: Db,
  posts: readonly TaggedPost[],
  { tags }: Pick<Structure, 'tags'>,
  defaultCategory: number,
): Promise<Map<number, TagValues>> {
  const categories = tags.has('category') ? await categoriesOf(db, posts, defaultCategory) : undefined
  const authors = tags.has('author') ? await authorsOf(db, posts) : undefined
  const values = new Map<number, TagValues>()
  for (const { id, slug, date, author_id: authorId } of posts) {
    values.set(id, {
      ...dateValues(date),
      post_id: String(id),
      postname: slug,
      category: categories?.get(id) ?? '',
      author: authors?.get(authorId) ?? '',
    })
  }
  return values
}

/** @param date site time, `YYYY-MM-DD HH:MM:SS` with a space or a `T` */
export function dateValues(date: string) {
  const [year = '', monthnum = '', day = '', hour = '', minute = '', second = ''] = date.split(/[- :T]/)
  return { year, monthnum, day, hour, minute, second }
}

async function authorsOf(db: Db, posts: readonly TaggedPost[]): Promise<Map<number, string>> {
  const ids = posts.map((post) => post.author_id)
  const rows = await inChunks(ids, (some) =>
    db.selectFrom('users').select(['id', 'slug']).where('id', 'in', some).execute(),
  )
  return new Map(rows.map(({ id, slug }) => [id, slug]))
}

/** Paths of slugs, `travel/asia`, by posts' ids. */
async function categoriesOf(
  db: Db,
  posts: readonly TaggedPost[],
  defaultCategory: number,
): Promise<Map<number, string>> {
  const ids = posts.map((post) => post.id)
  const lowest = await inChunks(ids, (some) =>
    db
      .selectFrom('term_relationships')
      .innerJoin('terms', 'terms.id', 'term_relationships.term_id')
      .select(['term_relationships.post_id', (row) => row.fn.min('terms.id').as('term_id')])
      .where('term_relationships.post_id', 'in', some)
      .where('terms.taxonomy', '=', 'category')
      .groupBy('term_relationships.post_id')
      .execute(),
  )
  const ofPosts = new Map(lowest.map(({ post_id: postId, term_id: termId }) => [postId, Number(termId)]))
  const rows = await inChunks([...ofPosts.values(), defaultCategory], (some) =>
    db.selectFrom('terms').selectAll().where('id', 'in', some).where('taxonomy', '=', 'category').execute(),
  )
  const paths = await slugPathsOf(db, rows)
  const pathOf = (id: number | undefined) => (id === undefined ? undefined : paths.get(id))
  return new Map(ids.map((id) => [id, pathOf(ofPosts.get(id)) ?? pathOf(defaultCategory) ?? '']))
}
