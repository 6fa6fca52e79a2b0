import { sql } from 'kysely'
import type { Neighbor } from './neighbors.ts'
import type { RelatedDatabase } from './tables.ts'

/** Pairs of similar posts. */
export interface Pairs {
  /** Replaces the neighbors of posts. */
  put(neighbors: ReadonlyMap<number, readonly Neighbor[]>): Promise<void>
  forget(postIds: readonly number[]): Promise<void>
  /** IDs of the most similar posts, best first. */
  of(postId: number, limit: number): Promise<number[]>
  /** IDs of the posts that have the post as neighbor. */
  findersOf(postId: number): Promise<Set<number>>
}

export function createPairs(db: RelatedDatabase): Pairs {
  return {
    put: (neighbors) =>
      db.transaction().execute(async (handle) => {
        const ids = [...neighbors.keys()]
        await handle
          .deleteFrom('ai_related_pairs')
          .where((row) => row.or([row('post_id', 'in', ids), row('other_id', 'in', ids)]))
          .execute()
        for (const [id, others] of neighbors) {
          const rows = others.map((other) => ({ post_id: id, other_id: other.id, score: other.score }))
          if (rows.length > 0) await handle.insertInto('ai_related_pairs').values(rows).execute()
        }
      }),

    forget: (postIds) =>
      db.transaction().execute(async (handle) => {
        await handle
          .deleteFrom('ai_related_pairs')
          .where((row) => row.or([row('post_id', 'in', postIds), row('other_id', 'in', postIds)]))
          .execute()
        await handle.deleteFrom('ai_related_posts').where('post_id', 'in', postIds).execute()
      }),

    async of(postId, limit) {
      const { rows } = await sql<{ id: number }>`
        select id from (
          select other_id as id, score from ai_related_pairs where post_id = ${postId}
          union all
          select post_id as id, score from ai_related_pairs where other_id = ${postId}
        ) as alike group by id order by max(score) desc, id desc limit ${sql.lit(limit)}`.execute(db)
      return rows.map(({ id }) => id)
    },

    async findersOf(postId) {
      const rows = await db.selectFrom('ai_related_pairs').select('post_id').where('other_id', '=', postId).execute()
      return new Set(rows.map(({ post_id }) => post_id))
    },
  }
}
