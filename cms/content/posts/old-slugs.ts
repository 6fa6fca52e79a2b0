import { type SqlBool, sql } from 'kysely'
import type { Db, PostRow } from '../rows.ts'
import { postThatHad, remember } from './remembered.ts'

const KEY = '_wp_old_slug'

/**
 * Stores the old slug of a public post, so that links to it are redirected; a slug that is used again is removed. WordPress's
 * `wp_check_for_changed_slugs`, with its meta key. Not for hierarchical types: their paths depend on other posts.
 */
export async function noteOldSlug(db: Db, before: PostRow, after: PostRow, hierarchical: boolean): Promise<void> {
  if (hierarchical || before.slug === after.slug || before.slug === '') return
  if (after.status !== 'publish' && after.type !== 'attachment') return
  if (before.status !== 'publish' && before.type !== 'attachment') return
  await remember(db, KEY, after.id, before.slug, [after.slug])
}

/** The public post that had the slug last; WordPress's `wp_old_slug_redirect`. */
export async function findByOldSlug(db: Db, slug: string, types: readonly string[]): Promise<PostRow | undefined> {
  if (types.length === 0) return undefined
  const isPublic = sql<SqlBool>`posts.status in ('publish', 'inherit') and posts.type in (${sql.join(types)})`
  return postThatHad(db, KEY, slug, isPublic)
}
