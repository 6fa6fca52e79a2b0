import { addMeta, removeMeta } from '../meta/rows.ts'
import { STATUS_BEFORE_TRASH, TRASH_TIME } from '../meta/trash-keys.ts'
import { type Db, fromJsonText, type PostRow } from '../rows.ts'
import { cutSlug } from '../slug.ts'
import type { NewPost } from '../types.ts'

const SUFFIX = '__trashed'
/** Length of a slug before the suffix, as in WordPress. */
const SLUG_LENGTH = 191
const SLUG = '_wp_desired_post_slug'

/**
 * Extends a change that moves a post to the trash or restores it. A trashed post releases its slug, and stores slug and status in
 * WordPress's meta keys (`wp_trash_post`, `wp_add_trashed_suffix_to_post_name_for_post`).
 */
export async function moveByTrash(db: Db, before: PostRow, changes: NewPost): Promise<NewPost> {
  const { status = before.status } = changes
  if (status === 'trash' && before.status !== 'trash') {
    await forget(db, before.id)
    await addMeta(db, 'post', before.id, {
      [STATUS_BEFORE_TRASH]: [before.status],
      [TRASH_TIME]: [Math.floor(Date.now() / 1000)],
      [SLUG]: [before.slug],
    })
    return { ...changes, slug: `${cutSlug(before.slug, SLUG_LENGTH)}${SUFFIX}` }
  }
  if (status !== 'trash' && before.status === 'trash') {
    const slug = await textMeta(db, before.id, SLUG)
    await forget(db, before.id)
    return { slug, ...changes }
  }
  return changes
}

/** The status of a trashed post before; `draft` if unknown. */
export async function statusBeforeTrash(db: Db, id: number): Promise<string> {
  return (await textMeta(db, id, STATUS_BEFORE_TRASH)) ?? 'draft'
}

async function forget(db: Db, id: number): Promise<void> {
  for (const key of [STATUS_BEFORE_TRASH, TRASH_TIME, SLUG]) await removeMeta(db, 'post', id, key)
}

async function textMeta(db: Db, id: number, key: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('postmeta')
    .select('meta_value')
    .where('post_id', '=', id)
    .where('meta_key', '=', key)
    .executeTakeFirst()
  const value = row && fromJsonText(row.meta_value)
  return typeof value === 'string' ? value : undefined
}
