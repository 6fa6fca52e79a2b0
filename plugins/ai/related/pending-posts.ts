import { type SqlBool, sql } from 'kysely'
import type { RelatedDatabase } from './tables.ts'

/** Public posts. */
const IS_OPEN = sql<SqlBool>`posts.type = 'post' and posts.status = 'publish' and posts.password = ''`

const NOT_COMPARED = { modified_gmt: '', waits: 1, text_hash: '', source: '', terms: '[]', vector: '' }

/** Posts that are pending: to be compared, or removed because they are no longer public. */
export interface PendingPosts {
  add(postIds: readonly number[]): Promise<void>
  /**
   * Adds all posts that have changed since their comparison.
   * @param model the model in use; posts compared by another source are added too
   * @returns whether any post is pending
   */
  addChanged(model: string | undefined): Promise<boolean>
  /** Takes the next pending posts. */
  take(most: number): Promise<number[]>
}

export function createPendingPosts(db: RelatedDatabase): PendingPosts {
  return {
    async add(postIds) {
      const rows = postIds.map((post_id) => ({ post_id, ...NOT_COMPARED }))
      await db
        .insertInto('ai_related_posts')
        .values(rows)
        .onConflict((conflict) => conflict.column('post_id').doUpdateSet({ waits: 1 }))
        .execute()
    },

    async addChanged(model) {
      await db
        .insertInto('ai_related_posts')
        .columns(['post_id', 'modified_gmt', 'waits', 'text_hash', 'source', 'terms', 'vector'])
        .expression(
          db
            .selectFrom('posts')
            .select(['id', sql.lit('').as('modified_gmt'), sql.lit(1).as('waits'), sql.lit('').as('text_hash')])
            .select([sql.lit('').as('source'), sql.lit('[]').as('terms'), sql.lit('').as('vector')])
            .where(IS_OPEN)
            .where('id', 'not in', db.selectFrom('ai_related_posts').select('post_id')),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await db
        .updateTable('ai_related_posts')
        .set({ waits: 1 })
        .where((row) =>
          row.not(
            row.exists(
              row
                .selectFrom('posts')
                .select('posts.id')
                .where(IS_OPEN)
                .whereRef('posts.id', '=', 'ai_related_posts.post_id')
                .whereRef('posts.modified_gmt', '=', 'ai_related_posts.modified_gmt'),
            ),
          ),
        )
        .execute()
      if (model !== undefined)
        await db.updateTable('ai_related_posts').set({ waits: 1 }).where('source', '<>', model).execute()
      return (await pending(1)).length > 0
    },

    async take(most) {
      const ids = await pending(most)
      if (ids.length > 0)
        await db.updateTable('ai_related_posts').set({ waits: 0 }).where('post_id', 'in', ids).execute()
      return ids
    },
  }

  async function pending(most: number): Promise<number[]> {
    const rows = await db
      .selectFrom('ai_related_posts')
      .select('post_id')
      .where('waits', '=', sql.lit(1))
      .orderBy('post_id')
      .limit(most)
      .execute()
    return rows.map(({ post_id }) => post_id)
  }
}
