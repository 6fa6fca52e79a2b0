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
      if (isKnown) {
        const removed = await handle
          .deleteFrom('seo_link_terms')
          .where('post_id', '=', postId)
          .returning('term')
          .execute()
        for (const { term } of removed) add(term, -1)
      }
      for (const term of terms.keys()) add(term, 1)
      const rows = [...terms].map(([term, weight]) => ({ post_id: postId, term, weight }))
      if (rows.length > 0) await handle.insertInto('seo_link_terms').values(rows).execute()
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
