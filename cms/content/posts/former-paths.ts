import type { TagValues } from '../permalinks/structure.ts'
import { cleanText, type Db, type PostRow } from '../rows.ts'
import { NOT_REVISION } from './filters.ts'
import { postsThatHad, remember } from './remembered.ts'

const KEY = '_pentad_old_path'

/**
 * Stores the former path of a published post whose date changed but not its slug, so that links to it are redirected.
 * A path that is in use again is removed. WordPress's `wp_check_for_changed_dates`.
 */
export async function noteOldPath(db: Db, before: PostRow, after: PostRow): Promise<void> {
  const isPublic = before.status === 'publish' && after.status === 'publish'
  if (!isPublic || before.slug !== after.slug || before.path === after.path || before.path === '') return
  await rememberPath(db, after.id, before.path, [after.path])
}

/** @param forgotten paths that are the post's own now */
export function rememberPath(db: Db, id: number, path: string, forgotten: readonly string[] = []): Promise<void> {
  return remember(db, KEY, id, path, forgotten)
}

/** The post that had the path last. */
export function findByOldPath(db: Db, path: string): Promise<PostRow | undefined> {
  return postsThatHad(db, KEY, path).executeTakeFirst()
}

/**
 * The post identified by the tags of a structure, as in WordPress's query by `p`, `name` and date. A category is
 * ignored.
 */
export async function findByTags(db: Db, values: Partial<TagValues>): Promise<PostRow | undefined> {
  const { post_id: id, postname: slug } = values
  const posts = db
    .selectFrom('posts')
    .selectAll()
    .where('type', '=', 'post')
    .where('status', 'in', ['publish', 'private'])
  if (id !== undefined)
    return Number(id) <= 2_147_483_647 ? posts.where('id', '=', Number(id)).executeTakeFirst() : undefined
  if (slug === undefined) return undefined
  const rows = await posts.where('slug', '=', slug).orderBy('id').limit(20).execute()
  return rows.find(({ date }) => isOfDate(date, values))
}

/** The parts of a date in a URL. */
export type DateParts = Pick<Partial<TagValues>, 'year' | 'monthnum' | 'day' | 'hour' | 'minute' | 'second'>

/** Whether a date, `YYYY-MM-DD HH:MM:SS`, has these parts; `1` is `01`. */
export function isOfDate(date: string, { year, monthnum, day, hour, minute, second }: DateParts): boolean {
  const parts = date.split(/[- :T]/).map(Number)
  return [year, monthnum, day, hour, minute, second].every(
    (part, at) => part === undefined || Number(part) === parts[at],
  )
}

/** Maximum number of posts examined for the start of a slug. */
const GUESSES = 50

/**
 * Ids of published posts whose slug starts with a text (WordPress's `redirect_guess_404_permalink`), the closest first. Reads only the next
 * few slugs of each type, regardless of the number of posts.
 */
export async function guessBySlug(
  db: Db,
  slug: string,
  { types, date, exact }: { types: readonly string[]; date: DateParts; exact: boolean },
): Promise<number[]> {
  const found: Pick<PostRow, 'id' | 'slug'>[] = []
  for (const type of types) {
    const rows = await db
      .selectFrom('posts')
      .select(['id', 'slug', 'date'])
      .where('type', '=', type)
      .where(NOT_REVISION)
      .where('status', '=', 'publish')
      .where('slug', exact ? '=' : '>=', cleanText(slug))
      .orderBy('slug')
      .orderBy('id')
      .limit(GUESSES)
      .execute()
    found.push(...rows.filter((row) => row.slug.startsWith(slug) && isOfDate(row.date, date)))
  }
  return found.sort((a, b) => a.slug.length - b.slug.length || a.id - b.id).map(({ id }) => id)
}
