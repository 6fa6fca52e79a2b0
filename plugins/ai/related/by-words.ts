import { type ExtensionHost, type Post, wordsOf } from 'pentad'
import { z } from 'zod'
import { best, type Neighbor } from './neighbors.ts'
import type { RelatedDatabase } from './tables.ts'

/** Number of keywords used to find candidates. */
const ASKED_TERMS = 12
/** Maximum number of candidates. */
const COMPARED = 40
/** Minimum similarity. */
const LEAST_LIKE = 0.05

const termsSchema = z.array(z.tuple([z.string(), z.number()]))

/** Weights of the keywords of a post, a vector of length 1. */
export type Terms = ReadonlyMap<string, number>

export const termsToText = (terms: Terms) => JSON.stringify([...terms])

/**
 * The most similar posts by keywords (cosine similarity), among posts that share one: the number of rows read does not
 * depend on the size of the site.
 */
export async function neighborsByWords(
  { content }: Pick<ExtensionHost, 'content'>,
  db: RelatedDatabase,
  { post, text, terms, finders }: { post: Post; text: string; terms: Terms; finders: ReadonlySet<number> },
): Promise<Neighbor[]> {
  if (terms.size === 0) return []
  const words = formsOf(text, new Set([...terms.keys()].slice(0, ASKED_TERMS))).join(' ')
  const among = {
    types: [post.type],
    exclude: [post.id],
    hasPassword: false,
    readableBy: null,
    limit: COMPARED,
  } as const
  const found = await content.posts.search(words, { ...among, match: 'any' })
  const ids = [...new Set([...found.map(({ id }) => id), ...finders])]
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('ai_related_posts')
    .select(['post_id', 'terms'])
    .where('post_id', 'in', ids)
    .execute()
  const scored = rows.map((row) => {
    const others = termsSchema.parse(JSON.parse(row.terms))
    return { id: row.post_id, score: others.reduce((sum, [term, weight]) => sum + weight * (terms.get(term) ?? 0), 0) }
  })
  return best(
    scored.filter(({ score }) => score >= LEAST_LIKE),
    finders,
  )
}

/** The terms with their inflections: the search treats `recipe` and `recipes` as two words. */
function formsOf(text: string, terms: ReadonlySet<string>): string[] {
  const forms = wordsOf(text).flatMap(({ term, folded }) => (terms.has(term) ? [folded] : []))
  return [...new Set([...terms, ...forms])]
}
