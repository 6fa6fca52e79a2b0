import { type SqlBool, sql } from 'kysely'
import { addMeta } from '../meta/rows.ts'
import { cleanText, type Db, toJsonText } from '../rows.ts'

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

/** Posts that formerly had a slug or path, by the index of the key; the latest first. */
export function postsThatHad(db: Db, key: string, value: string) {
  const text = toJsonText(cleanText(value))
  const indexed = [...text].slice(0, REMEMBERED_INDEXED).join('')
  return db
    .selectFrom('postmeta')
    .innerJoin('posts', 'posts.id', 'postmeta.post_id')
    .selectAll('posts')
    .where('meta_key', '=', sql.lit(key))
    .where(sql<SqlBool>`substr(meta_value, 1, ${sql.lit(REMEMBERED_INDEXED)}) = ${indexed}`)
    .where('meta_value', '=', text)
    .orderBy('meta_id', 'desc')
    .limit(1)
}
