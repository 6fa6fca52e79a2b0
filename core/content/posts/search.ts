import { type SelectQueryBuilder, sql } from 'kysely'
import type { Schema } from '../../database/index.ts'
import type { ContentParts } from '../parts.ts'
import type { PostRow } from '../rows.ts'
import { countFound, FREQUENT } from '../search/frequent.ts'
import { type Question, readQuestion, type Term } from '../search/question.ts'
import type { PostSearch } from '../types.ts'
import { filtersOf } from './filters.ts'
import { DEFAULT_LIMIT } from './query.ts'

type Rows = SelectQueryBuilder<Schema, 'posts', object>

/**
 * The best posts for a visitor's words. Ranking takes a look at each post that has them, so of words that many have only
 * the newest posts are weighed, and those with the words in the title apart from the others.
 */
export async function searchPosts(
  { database: { db }, search }: Pick<ContentParts, 'database' | 'search'>,
  words: string,
  { match = 'all', ...query }: PostSearch,
): Promise<PostRow[]> {
  const question = await sought()
  if (!question) return []
  const everywhere = search.find(question)
  const isCommon = (await countFound(db, everywhere)) > FREQUENT
  const filtered = filtersOf(query, true).reduce((rows: Rows, filter) => rows.where(filter), db.selectFrom('posts'))
  const weighed = (isCommon ? [search.find(question, 'title'), everywhere] : [everywhere]).map((found) => {
    // The index gives them in this order, and ranks those that it gives.
    const newest = filtered
      .innerJoin(found.as<'found'>('found'), 'found.id', 'posts.id')
      .select(['posts.id', 'found.rank'])
      .orderBy('found.id', 'desc')
      .limit(FREQUENT)
    return sql`select id, rank from (${newest}) as newest`
  })
  const best = sql<{ id: number; rank: number }>`(
    select id, min(rank) as rank from (${sql.join(weighed, sql` union all `)}) as weighed
    group by id order by 2, 1 desc limit ${Math.max(0, Math.trunc(query.limit ?? DEFAULT_LIMIT))})`
  return db
    .selectFrom('posts')
    .innerJoin(best.as<'best'>('best'), 'best.id', 'posts.id')
    .selectAll('posts')
    .orderBy('best.rank')
    .orderBy('posts.id', 'desc')
    .execute()

  /** Of a sentence the rarest words: they tell posts apart, and what very many have says nothing. */
  async function sought(): Promise<Question | undefined> {
    const asked = readQuestion(words, match === 'any')
    if (!asked?.any) return asked
    const counted: { term: Term; count: number }[] = []
    for (const term of asked.wanted)
      counted.push({ term, count: await countFound(db, search.find({ ...asked, wanted: [term] })) })
    let together = 0
    const rare = counted
      .sort((a, b) => a.count - b.count)
      .filter(({ count }) => {
        together += count
        return together <= FREQUENT
      })
    // Nothing but common words: then those posts that have all of them.
    return rare.length > 0 ? { ...asked, wanted: rare.map(({ term }) => term) } : { ...asked, any: false }
  }
}
