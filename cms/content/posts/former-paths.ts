import { type Expression, type SqlBool, sql } from 'kysely'
import type { TagValues } from '../permalinks/structure.ts'
import { cleanText, type Db, type PostRow } from '../rows.ts'
import { NOT_REVISION } from './filters.ts'
import { postThatHad, remember } from './remembered.ts'

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
  return postThatHad(db, KEY, path)
}

/**
 * The post identified by the tags of a structure, as in WordPress's query by `p`, `name` and date. A category is
 * ignored.
 */
export async function findByTags(db: Db, values: Partial<TagValues>): Promise<PostRow | undefined> {
  const { post_id: id, postname: slug } = values
  const find = async (isFound: Expression<SqlBool>) => {
    const { rows } = await sql<PostRow>`
      select * from posts where type = 'post' and status in ('publish', 'private') and ${isFound}
      order by id limit 20`.execute(db)
    return rows
  }
  if (id !== undefined)
    return Number(id) <= 2_147_483_647 ? (await find(sql<SqlBool>`id = ${Number(id)}`))[0] : undefined
  if (slug === undefined) return undefined
  const rows = await find(sql<SqlBool>`slug = ${slug}`)
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
  const text = cleanText(slug)
  if (text === '') return []
  const found: Pick<PostRow, 'id' | 'slug'>[] = []
  for (const type of types) {
    const { rows } = await sql<Pick<PostRow, 'id' | 'slug' | 'date'>>`
      select id, slug, date from (
        select id, slug, date from posts
        where type = ${type} and ${NOT_REVISION} and status = 'publish' and slug ${sql.raw(exact ? '=' : '>=')} ${text}
        order by slug, id limit ${sql.lit(GUESSES)}
      ) as closest where substr(slug, 1, ${[...text].length}) = ${text}`.execute(db)
    found.push(...rows.filter((row) => isOfDate(row.date, date)))
  }
  return found.sort((a, b) => a.slug.length - b.slug.length || a.id - b.id).map(({ id }) => id)
}
