import { type Expression, type SqlBool, sql } from 'kysely'
import { isRowId } from '../../../core/database/row-id.ts'
import { cleanText, type Db } from '../rows.ts'
import type { PostCount, PostCountQuery } from '../types.ts'
import { NOT_REVISION, ownOr } from './filters.ts'

/** Number of posts of a type by status and month (in the site's time zone), newest first; one index scan. */
export async function countPosts(db: Db, { type, userId, others }: PostCountQuery): Promise<PostCount[]> {
  const month = sql<string>`substr(posts.date, 1, 7)`
  const isOwn: Expression<SqlBool> = isRowId(userId) ? sql`posts.author_id = ${userId}` : sql`1 = 0`
  let query = db
    .selectFrom('posts')
    .select((build) => [
      'status',
      month.as('month'),
      build.fn.countAll<number>().as('count'),
      sql<number>`sum(case when ${isOwn} then 1 else 0 end)`.as('own'),
    ])
    .where('type', '=', cleanText(type))
    .where(NOT_REVISION)
    .where('status', '!=', 'auto-draft')
    .groupBy(['status', month])
    .orderBy(month, 'desc')
  if (others) query = query.where(ownOr(others))
  const rows = await query.execute()
  return rows.map((row) => ({ ...row, count: Number(row.count), own: Number(row.own) }))
}
