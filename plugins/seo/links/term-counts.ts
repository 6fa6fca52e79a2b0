import type { LinkHandle } from './tables.ts'

/** The row that counts all posts. */
export const ALL_POSTS = ''
/** Number of rows in one statement. */
const ROWS = 500

/** Writes the keywords of posts, and the number of posts per keyword. */
export interface TermCounts {
  addPosts(count: number): void
  /** @param isKnown whether the post may already have keywords */
  put(postId: number, terms: ReadonlyMap<string, number>, isKnown: boolean): Promise<void>
  /** Writes the counts, once for all posts. */
  write(): Promise<void>
}

export function createTermCounts(handle: LinkHandle): TermCounts {
  const changes = new Map<string, number>()
  const add = (term: string, by: number) => changes.set(term, (changes.get(term) ?? 0) + by)

  return {
    addPosts: (count) => void add(ALL_POSTS, count),

    async put(postId, terms, isKnown) {
      // PostgreSQL's `real` has 32 bits.
      const stored = handle.selectFrom('seo_link_terms').select(['term', 'weight']).where('post_id', '=', postId)
      const known = new Map(
        (isKnown ? await stored.execute() : []).map(({ term, weight }) => [term, Math.fround(weight)]),
      )
      const removed = [...known.keys()].filter((term) => !terms.has(term))
      const written = [...terms].filter(([term, weight]) => known.get(term) !== Math.fround(weight))
      for (const term of removed) add(term, -1)
      for (const [term] of written) if (!known.has(term)) add(term, 1)
      if (removed.length > 0) {
        await handle.deleteFrom('seo_link_terms').where('post_id', '=', postId).where('term', 'in', removed).execute()
      }
      if (written.length === 0) return
      await handle
        .insertInto('seo_link_terms')
        .values(written.map(([term, weight]) => ({ post_id: postId, term, weight })))
        .onConflict((conflict) =>
          conflict.columns(['post_id', 'term']).doUpdateSet((row) => ({ weight: row.ref('excluded.weight') })),
        )
        .execute()
    },

    async write() {
      // Always in the same order, so that two processes never deadlock.
      const rows = [...changes]
        .filter(([, posts]) => posts !== 0)
        .map(([term, posts]) => ({ term, posts }))
        .sort((a, b) => (a.term < b.term ? -1 : 1))
      for (let at = 0; at < rows.length; at += ROWS) {
        await handle
          .insertInto('seo_link_term_counts')
          .values(rows.slice(at, at + ROWS))
          .onConflict((conflict) =>
            conflict.column('term').doUpdateSet((row) => ({
              posts: row('seo_link_term_counts.posts', '+', row.ref('excluded.posts')),
            })),
          )
          .execute()
      }
      const removed = rows.filter(({ posts }) => posts < 0).map(({ term }) => term)
      if (removed.length === 0) return
      await handle.deleteFrom('seo_link_term_counts').where('posts', '<=', 0).where('term', 'in', removed).execute()
    },
  }
}
