import { sql } from 'kysely'
import { type ExtensionHost, type Post, plainText, type ResponseOf, wordsOf } from 'pentad'
import { z } from 'zod'
import { findAnchors, type LinkableText } from './anchors.ts'
import type { PostText, ReadPages } from './read-pages.ts'
import type { LinkDatabase } from './tables.ts'
import { ALL_POSTS } from './term-counts.ts'

/** Number of keywords of the post used to find candidates. */
const ASKED_TERMS = 16
/** Number of candidates per keyword, by weight. */
const FOR_EACH = 40
/** Number of candidates that are compared exactly. */
const COMPARED = 60
/** Weight of title words relative to keywords. */
const TITLE_WEIGHT = 2

export const suggestionShape = z.object({
  ...{ postId: z.int(), title: z.string(), url: z.string() },
  score: z.number().describe('Relevance, 0 to 1.'),
  anchors: z.array(z.string()).describe('Phrases in the post that can become the anchor text.'),
})
export type Suggestion = ResponseOf<typeof suggestionShape>

/** A term with its weight in one post: weight times rarity. */
interface MeaningfulTerm {
  readonly term: string
  readonly value: number
}

/** Suggests internal links for a post. */
export type Suggest = (post: Post, limit: number) => Promise<Suggestion[]>

/**
 * Compares posts by keywords (cosine similarity of tf-idf vectors). The vectors are precomputed; the number of rows
 * read does not depend on the size of the site.
 */
export function createSuggest(
  { content }: Pick<ExtensionHost, 'content'>,
  { db, read }: { db: LinkDatabase; read: ReadPages },
): Suggest {
  /** Keywords of the post with weights; computed from its text if it is not indexed. */
  async function termsOf(post: Post, text: PostText): Promise<Map<string, number>> {
    const rows = await db
      .selectFrom('seo_link_terms')
      .select(['term', 'weight'])
      .where('post_id', '=', post.id)
      .execute()
    return rows.length > 0 ? new Map(rows.map(({ term, weight }) => [term, weight])) : text.terms()
  }

  /** Inverse document frequency of a term. */
  async function rarities(terms: readonly string[]): Promise<Map<string, number>> {
    const rows = await db
      .selectFrom('seo_link_term_counts')
      .select(['term', 'posts'])
      .where('term', 'in', [...terms, ALL_POSTS])
      .execute()
    const counts = new Map(rows.map(({ term, posts }) => [term, posts]))
    const all = counts.get(ALL_POSTS) ?? 0
    return new Map(terms.map((term) => [term, Math.log(1 + all / Math.max(1, counts.get(term) ?? 1))]))
  }

  /** Posts with the highest weights of the terms, best first. */
  async function candidates(postId: number, terms: readonly MeaningfulTerm[]): Promise<number[]> {
    const perTerm = terms.map(
      ({ term, value }) => sql`
        select post_id, weight * cast(${value} as real) as value from (
          select post_id, weight from seo_link_terms where term = ${term}
          order by weight desc, post_id limit ${sql.lit(FOR_EACH)}
        ) as of_term`,
    )
    const query = sql<{ post_id: number }>`
      select post_id from (${sql.join(perTerm, sql` union all `)}) as found where post_id <> ${postId}
      group by post_id order by sum(value) desc, post_id limit ${sql.lit(COMPARED)}`
    const { rows } = await query.execute(db)
    return rows.map(({ post_id }) => post_id)
  }

  /** The candidates that the post already links to. */
  async function linked(links: ReadonlySet<string>, ids: readonly number[]): Promise<Set<number>> {
    const rows = await db
      .selectFrom('seo_link_addresses')
      .select(['post_id', 'address'])
      .where('post_id', 'in', ids)
      .execute()
    return new Set(rows.filter(({ address }) => links.has(address)).map(({ post_id }) => post_id))
  }

  async function compare(
    ids: readonly number[],
    own: ReadonlyMap<string, number>,
    rarity: ReadonlyMap<string, number>,
  ): Promise<{ id: number; score: number; terms: Map<string, number> }[]> {
    const rows = await db
      .selectFrom('seo_link_terms')
      .select(['post_id', 'term', 'weight'])
      .where('post_id', 'in', ids)
      .execute()
    const terms = new Map(ids.map((id) => [id, new Map<string, number>()]))
    for (const { post_id, term, weight } of rows) terms.get(post_id)?.set(term, weight)
    const product = (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>) =>
      a.entries().reduce((sum, [term, weight]) => sum + weight * (b.get(term) ?? 0) * (rarity.get(term) ?? 0), 0)
    // Both vectors have length 1 without idf. Applying idf to the other side as well would require all its terms.
    const ownLength = product(own, own)
    const scoreOf = (others: ReadonlyMap<string, number>) => Math.min(1, product(own, others) / ownLength)
    return [...terms].map(([id, others]) => ({ id, terms: others, score: scoreOf(others) }))
  }

  /** Texts for anchors: keywords of the target, those of its title first. */
  function anchorsFor(title: string, terms: ReadonlyMap<string, number>, texts: readonly LinkableText[]): string[] {
    const wanted = new Map(terms)
    for (const { term } of wordsOf(title)) {
      const weight = terms.get(term)
      if (weight !== undefined) wanted.set(term, weight + TITLE_WEIGHT)
    }
    return findAnchors(texts, wanted)
  }

  return async (post, limit) => {
    const text = await read.text(post)
    const own = await termsOf(post, text)
    if (own.size === 0) return []
    const rarity = await rarities([...own.keys()])
    const meaningful = [...own]
      .map(([term, weight]): MeaningfulTerm => ({ term, value: weight * (rarity.get(term) ?? 0) }))
      .sort((a, b) => b.value - a.value)
    const ids = await candidates(post.id, meaningful.slice(0, ASKED_TERMS))
    if (ids.length === 0) return []
    const known = await linked(text.links, ids)
    const best = (await compare(ids, own, rarity))
      .filter(({ id, score }) => score > 0 && !known.has(id))
      .sort((a, b) => b.score - a.score || b.id - a.id)
      .slice(0, limit)

    const posts = await content.posts.getMany(best.map(({ id }) => id))
    const texts = text.linkable.map((linkable) => ({ text: linkable, words: wordsOf(linkable) }))
    return best.flatMap(({ id, score, terms }) => {
      const target = posts.get(id)
      if (!target) return []
      const title = plainText(content.renderTitle(target))
      const rounded = Math.round(score * 1000) / 1000
      return { postId: id, title, url: content.link(target), score: rounded, anchors: anchorsFor(title, terms, texts) }
    })
  }
}
