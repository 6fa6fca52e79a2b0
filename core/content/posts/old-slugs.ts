import { type SqlBool, sql } from 'kysely'
import { addMeta } from '../meta/rows.ts'
import { cleanText, type Db, type PostRow, toJsonText } from '../rows.ts'

const KEY = '_wp_old_slug'
/** Characters of a value that the index holds. */
export const OLD_SLUG_INDEXED = 200

/**
 * Remembers the slug that a public post had, so that links to it still arrive; one that is in use again is forgotten.
 * WordPress's `wp_check_for_changed_slugs`, with its meta key. Pages have none: their paths depend on others'.
 */
export async function noteOldSlug(db: Db, before: PostRow, after: PostRow, hierarchical: boolean): Promise<void> {
  if (hierarchical || before.slug === after.slug || before.slug === '') return
  if (after.status !== 'publish' && after.type !== 'attachment') return
  if (before.status !== 'publish' && before.type !== 'attachment') return
  await db
    .deleteFrom('postmeta')
    .where('post_id', '=', after.id)
    .where('meta_key', '=', KEY)
    .where('meta_value', 'in', [toJsonText(before.slug), toJsonText(after.slug)])
    .execute()
  await addMeta(db, 'post', after.id, { [KEY]: [before.slug] })
}

/** The public post that had the slug last; WordPress's `wp_old_slug_redirect`. */
export async function findByOldSlug(db: Db, slug: string, types: readonly string[]): Promise<PostRow | undefined> {
  const value = toJsonText(cleanText(slug))
  if (types.length === 0) return undefined
  return db
    .selectFrom('postmeta')
    .innerJoin('posts', 'posts.id', 'postmeta.post_id')
    .selectAll('posts')
    .where('meta_key', '=', sql.lit(KEY))
    .where(
      sql<SqlBool>`substr(meta_value, 1, ${sql.lit(OLD_SLUG_INDEXED)}) = ${[...value].slice(0, OLD_SLUG_INDEXED).join('')}`,
    )
    .where('meta_value', '=', value)
    .where('posts.status', 'in', ['publish', 'inherit'])
    .where('posts.type', 'in', types)
    .orderBy('meta_id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
