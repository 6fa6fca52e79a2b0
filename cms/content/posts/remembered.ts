import { type Expression, type SqlBool, sql } from 'kysely'
import { addMeta } from '../meta/rows.ts'
import { cleanText, type Db, type PostRow, toJsonText } from '../rows.ts'

/** Number of characters of a stored value that the indexes contain. */
export const REMEMBERED_INDEXED = 200

/**
 * Stores a former slug or path of a post as its meta.
 *
 * @param forgotten - Values that the post has again.
 */
export async function remember(
  db: Db,
  key: string,
  postId: number,
  value: string,
  forgotten: readonly string[] = [],
): Promise<void> {
  await db
    .deleteFrom('postmeta')
    .where('post_id', '=', postId)
    .where('meta_key', '=', key)
    .where('meta_value', 'in', [value, ...forgotten].map(toJsonText))
    .execute()
  await addMeta(db, 'post', postId, { [key]: [value] })
}

/**
 * The post that had a slug or path last, by the index of the key.
 *
 * @param among - Condition for the post.
 */
export async function postThatHad(
  db: Db,
  key: string,
  value: string,
  among: Expression<SqlBool> = sql<SqlBool>`1 = 1`,
): Promise<PostRow | undefined> {
  const text = toJsonText(cleanText(value))
  const indexed = [...text].slice(0, REMEMBERED_INDEXED).join('')
  // Written out: building the statement takes longer than running it, and a missing page needs several.
  const { rows } = await sql<PostRow>`
    select posts.* from postmeta inner join posts on posts.id = postmeta.post_id
    where meta_key = ${sql.lit(key)} and substr(meta_value, 1, ${sql.lit(REMEMBERED_INDEXED)}) = ${indexed}
      and meta_value = ${text} and ${among}
    order by meta_id desc limit 1`.execute(db)
  return rows[0]
}
