import type { RawBuilder } from 'kysely'
import type { ContentParts } from '../parts.ts'
import type { PostRow } from '../rows.ts'
import { countFound } from '../search/count-found.ts'
import { type Question, readQuestion, type Term } from '../search/question.ts'
import type { Post, PostSearch } from '../types.ts'
import { filtersOf } from './filters.ts'
import { DEFAULT_LIMIT } from './query.ts'
import type { Sieve } from './sieve.ts'

type Found = RawBuilder<{ id: number; rank: number }>

/** Number of posts ranked by a search, the newest matches; more would be slow on a large site. */
const WEIGHED = 300

/**
 * The best matches for a visitor's words. They are ranked by the index alone; then posts are read in that order until enough of them match
 * the query.
 * @param sieve filters by rules that the database cannot evaluate
 */
export async function searchPosts(
  { database: { db }, search }: Pick<ContentParts, 'database' | 'search'>,
  words: string,
  { among: given, read, sieve }: { among: PostSearch; read: (row: PostRow) => Post; sieve: Sieve | undefined },
): Promise<Post[]> {
  const { match = 'all', limit = DEFAULT_LIMIT, ...among } = given
  const question = await readSearch()
  const wanted = Math.max(0, Math.trunc(limit))
  if (!question || wanted === 0) return []
  const filters = filtersOf(among, true)
  const ids = await weigh(weightsOf)
  const best = await readBest(ids)
  if (best.length === wanted || ids.length < WEIGHED) return best
  // Very many newer posts that do not match the query contain the words.
  return readBest(
    await weigh((found) => {
      const rows = weightsOf(found).innerJoin('posts', 'posts.id', 'found.id')
      return filters.reduce((asked, filter) => asked.where(filter), rows)
    }),
  )

  async function readSearch(): Promise<Question | undefined> {
    const read = readQuestion(words, match === 'any')
    const asked = read && sieve?.looksForUnwanted ? { ...read, unwanted: [] } : read
    if (asked?.any) return rarestOf(asked)
    // For a common word, prefix matches are not merged into the ranking.
    const whole = asked && { ...asked, wanted: asked.wanted.map((term) => ({ ...term, beginning: false })) }
    return whole?.wanted.length === 1 && (await howMany(whole)) > WEIGHED ? whole : asked
  }

  function howMany(asked: Question): Promise<number> {
    return countFound(db, search.find(asked), WEIGHED)
  }

  /** The rarest words of a sentence, which are the most selective. */
  async function rarestOf(asked: Question): Promise<Question> {
    const counted: { term: Term; count: number }[] = []
    for (const term of asked.wanted) counted.push({ term, count: await howMany({ ...asked, wanted: [term] }) })
    let together = 0
    const rare = counted
      .sort((a, b) => a.count - b.count)
      .filter(({ count }) => {
        together += count
        return together <= WEIGHED
      })
    // Only common words: the posts that contain all of them.
    return rare.length > 0 ? { ...asked, wanted: rare.map(({ term }) => term) } : { ...asked, any: false }
  }

  /** The index returns the newest matches, and ranks only these. */
  function weightsOf(found: Found) {
    return db
      .selectFrom(found.as('found'))
      .select(['found.id', 'found.rank'])
      .orderBy('found.id', 'desc')
      .limit(WEIGHED)
  }

  /** IDs, best first. If there are very many matches, posts with the words in their title are ranked separately. */
  async function weigh(ask: (found: Found) => ReturnType<typeof weightsOf>): Promise<number[]> {
    if (!question) return []
    const everywhere = await ask(search.find(question)).execute()
    const titles = everywhere.length < WEIGHED ? [] : await ask(search.find(question, 'with title')).execute()
    const ranks = new Map(titles.map(({ id, rank }) => [id, rank]))
    for (const { id, rank } of everywhere) ranks.set(id, Math.min(rank, ranks.get(id) ?? rank))
    return [...ranks].sort(([a, one], [b, other]) => one - other || b - a).map(([id]) => id)
  }

  async function readBest(ids: readonly number[]): Promise<Post[]> {
    const best: Post[] = []
    for (let at = 0; at < ids.length && best.length < wanted; at += 2 * wanted) {
      const some = ids.slice(at, at + 2 * wanted)
      const asked = db.selectFrom('posts').selectAll().where('id', 'in', some)
      const rows = await filters.reduce((posts, filter) => posts.where(filter), asked).execute()
      const byId = new Map(rows.map((row) => [row.id, row]))
      const posts = some.flatMap((id) => byId.get(id) ?? []).map(read)
      best.push(...(sieve ? await sieve.pick(posts) : posts))
    }
    return best.slice(0, wanted)
  }
}
