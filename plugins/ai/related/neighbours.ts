import { setImmediate as turn } from 'node:timers/promises'
import { type ExtensionHost, type Post, wordsOf } from 'pentad'
import { z } from 'zod'
import type { RelatedDatabase } from './tables.ts'
import { likeness, type SmallVector, toSmallVector } from './vectors.ts'

/** Neighbours that are kept of a post: more than are shown, as some of them will go. */
export const KEPT = 24
/** Terms by which others are looked for: the ones that tell most. */
const ASKED_TERMS = 12
/** Posts that are compared exactly where words decide. */
const COMPARED = 40
/** Posts with less in common are not alike. */
const LEAST_LIKE = 0.05
/** Vectors that are read in one go; whoever waits for the site comes in between. */
const READ_TOGETHER = 500

const termsSchema = z.array(z.tuple([z.string(), z.number()]))

export interface Neighbour {
  readonly id: number
  readonly score: number
}

/** Weights of the words that a post is about. */
export type Terms = ReadonlyMap<string, number>

export const termsToText = (terms: Terms) => JSON.stringify([...terms])

/**
 * The posts that have most in common with one by the words that they are about (cosine of term weights), among those
 * that have any of them: what is read does not grow with the site.
 */
export async function neighboursByWords(
  { content }: Pick<ExtensionHost, 'content'>,
  db: RelatedDatabase,
  { post, text, terms }: { post: Post; text: string; terms: Terms },
): Promise<Neighbour[]> {
  if (terms.size === 0) return []
  const words = formsOf(text, new Set([...terms.keys()].slice(0, ASKED_TERMS))).join(' ')
  const among = { types: [post.type], exclude: [post.id], hasPassword: false, limit: COMPARED } as const
  const found = await content.posts.search(words, { ...among, match: 'any' })
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  const rows = await db
    .selectFrom('ai_related_posts')
    .select(['post_id', 'terms'])
    .where('post_id', 'in', ids)
    .execute()
  const scored = rows.map((row) => {
    const others = termsSchema.parse(JSON.parse(row.terms))
    return { id: row.post_id, score: others.reduce((sum, [term, weight]) => sum + weight * (terms.get(term) ?? 0), 0) }
  })
  return best(scored.filter(({ score }) => score >= LEAST_LIKE))
}

/** The posts whose vectors are nearest to those of others, by the ids of these. All vectors of the model are compared. */
export async function neighboursByVectors(
  db: RelatedDatabase,
  source: string,
  vectors: ReadonlyMap<number, SmallVector>,
): Promise<Map<number, Neighbour[]>> {
  const nearest = new Map([...vectors.keys()].map((id): [number, Neighbour[]] => [id, []]))
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('ai_related_posts')
      .select(['post_id', 'vector'])
      .where('source', '=', source)
      .where('post_id', '>', after)
      .orderBy('post_id')
      .limit(READ_TOGETHER)
      .execute()
    const last = rows.at(-1)
    if (!last) return nearest
    const others = rows.map((row) => ({ id: row.post_id, vector: toSmallVector(row.vector) }))
    for (const [id, vector] of vectors) {
      const found = others.filter((other) => other.id !== id)
      const scored = found.map((other) => ({ id: other.id, score: likeness(vector, other.vector) }))
      nearest.set(id, best([...(nearest.get(id) ?? []), ...scored]))
    }
    after = last.post_id
    await turn()
  }
}

/** The forms in which terms stand in a text, and the terms: the site's search knows `recipe` and `recipes` as two words. */
function formsOf(text: string, terms: ReadonlySet<string>): string[] {
  const forms = wordsOf(text).flatMap(({ term, folded }) => (terms.has(term) ? [folded] : []))
  return [...new Set([...terms, ...forms])]
}

function best(neighbours: readonly Neighbour[]): Neighbour[] {
  return neighbours.toSorted((a, b) => b.score - a.score || b.id - a.id).slice(0, KEPT)
}
