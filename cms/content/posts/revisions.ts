import { sql } from 'kysely'
import type { Db, PostRow } from '../rows.ts'
import { gmtNow, gmtToSite } from '../site-time.ts'

/** Fields of a revision; WordPress's `_wp_post_revision_fields`. */
const FIELDS = ['title', 'content', 'excerpt'] as const

export type RevisionText = Pick<PostRow, (typeof FIELDS)[number]>

/** Options for storing revisions. */
export interface KeepRevisions {
  /** Maximum number; negative for no limit, 0 for none. */
  readonly limit: number
  /** The user who saves. */
  readonly userId: number | undefined
  /** Decides whether the post differs from its latest revision. */
  isChanged(changed: boolean, latest: PostRow, post: PostRow): boolean
}

/** Ids of created and of deleted revisions. */
export interface StoredRevisions {
  readonly saved: readonly number[]
  readonly deleted: readonly number[]
}

const NONE: StoredRevisions = { saved: [], deleted: [] }

/**
 * Stores the new version of a post as a revision if its text changed, inside the transaction of the save; WordPress's
 * `wp_save_post_revision`. Before the first revision, the previous version is stored too, which WordPress loses.
 */
export async function storeRevisions(
  db: Db,
  before: PostRow,
  after: PostRow,
  { limit, userId, isChanged }: KeepRevisions,
): Promise<StoredRevisions> {
  if (limit === 0 || after.status === 'auto-draft') return NONE
  // Written out, like the insert below: building the statement takes longer than running it.
  const { rows } = await sql<PostRow>`
    select * from posts where parent_id = ${after.id} and type = 'revision' and slug = ${revisionSlug(after.id)}
    order by id desc limit 1`.execute(db)
  const [latest] = rows
  if (latest ? !isChanged(differs(latest, after), latest, after) : !differs(before, after)) return NONE
  const saved: number[] = []
  if (!latest && before.status !== 'auto-draft') saved.push(await insertRevision(db, before, before.author_id))
  saved.push(await insertRevision(db, after, userId ?? after.author_id))
  return { saved, deleted: limit < 0 ? [] : await deleteOldest(db, after.id, limit) }
}

/** Stores an unsaved version of a user, replacing the previous one. Resolves to its row. */
export async function putAutosave(
  db: Db,
  post: PostRow,
  { text, userId, timezone }: { text: RevisionText; userId: number; timezone: string },
): Promise<PostRow> {
  await removeAutosave(db, post.id, userId)
  // The post's last save may be dated a second ahead; what was typed after it is not older.
  const now = gmtNow()
  const isBehind = now < post.modified_gmt
  const gmt = isBehind ? post.modified_gmt : now
  const local = gmtToSite(gmt, timezone)
  const times = { date: local, date_gmt: gmt, modified: local, modified_gmt: gmt }
  return insert(db, post.id, { ...text, slug: autosaveSlug(post.id), author_id: userId, ...times })
}

/** Deletes a user's autosave. */
export async function removeAutosave(db: Db, postId: number, userId: number): Promise<void> {
  await db
    .deleteFrom('posts')
    .where('parent_id', '=', postId)
    .where('type', '=', 'revision')
    .where('slug', '=', autosaveSlug(postId))
    .where('author_id', '=', userId)
    .execute()
}

/** Whether the text of two versions differs, ignoring whitespace (WordPress's `normalize_whitespace`). */
export function differs(one: RevisionText, other: RevisionText): boolean {
  return FIELDS.some((field) => one[field] !== other[field] && !saysTheSame(one[field], other[field]))
}

/** Whether a revision is an autosave; WordPress's `wp_is_post_autosave`. */
export function isAutosave({ slug, parentId }: { readonly slug: string; readonly parentId: number }): boolean {
  return slug === autosaveSlug(parentId)
}

const autosaveSlug = (postId: number) => `${postId}-autosave-v1`

const revisionSlug = (postId: number) => `${postId}-revision-v1`

/** Compares two texts as `normalize_whitespace` would leave them, without a copy of either: they may be large. */
function saysTheSame(one: string, other: string): boolean {
  const [a, b] = [one.trim(), other.trim()]
  let [atA, atB] = [0, 0]
  while (atA < a.length && atB < b.length) {
    const character = normalized(a.charCodeAt(atA))
    if (character !== normalized(b.charCodeAt(atB))) return false
    atA = afterRun(a, atA, character)
    atB = afterRun(b, atB, character)
  }
  return atA === a.length && atB === b.length
}

const [TAB, LINE_FEED, CARRIAGE_RETURN, BLANK] = [9, 10, 13, 32]

const normalized = (code: number) => (code === CARRIAGE_RETURN ? LINE_FEED : code === TAB ? BLANK : code)

/** Offset after a character; runs of line ends or spaces count once. */
function afterRun(text: string, at: number, character: number): number {
  let end = at + 1
  if (character !== LINE_FEED && character !== BLANK) return end
  while (normalized(text.charCodeAt(end)) === character) end++
  return end
}

async function insertRevision(db: Db, post: PostRow, authorId: number): Promise<number> {
  const { title, content, excerpt, modified, modified_gmt } = post
  const times = { date: modified, date_gmt: modified_gmt, modified, modified_gmt }
  const own = { title, content, excerpt, slug: revisionSlug(post.id), author_id: authorId, ...times }
  return (await insert(db, post.id, own)).id
}

type Own = RevisionText & Pick<PostRow, 'slug' | 'author_id' | 'date' | 'date_gmt' | 'modified' | 'modified_gmt'>

/** Inserts a revision. Its guid contains only its id, so it is not stored (`toPost`). */
async function insert(db: Db, postId: number, own: Own): Promise<PostRow> {
  const row = {
    ...own,
    ...{ type: 'revision', status: 'inherit', parent_id: postId, menu_order: 0, path: '', password: '', sticky: 0 },
    ...{ comment_status: 'closed', ping_status: 'closed', comment_count: 0, template: '', mime_type: '', guid: '' },
  }
  const { rows } = await sql<{ id: number }>`
    insert into posts (${sql.raw(Object.keys(row).join(', '))}) values (${sql.join(Object.values(row))})
    returning id`.execute(db)
  const [inserted] = rows
  if (!inserted) throw new Error('The revision was not stored.')
  return { ...row, ...inserted }
}

async function deleteOldest(db: Db, postId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('posts')
    .select('id')
    .where('parent_id', '=', postId)
    .where('type', '=', 'revision')
    .where('slug', '=', revisionSlug(postId))
    .orderBy('id', 'desc')
    .execute()
  const old = rows.slice(limit).map(({ id }) => id)
  if (old.length > 0) await db.deleteFrom('posts').where('id', 'in', old).execute()
  return old
}
