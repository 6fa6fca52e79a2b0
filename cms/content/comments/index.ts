import { sql } from 'kysely'
import { isRowId } from '../../../core/database/row-id.ts'
import { RestError } from '../../../core/errors.ts'
import { AFTER_COMMIT } from '../../../core/hooks/index.ts'
import { rejectDuplicate } from '../discussion/history.ts'
import { announceMeta, insertMeta, type MetaChange, replaceMeta } from '../meta/changes.ts'
import { addMeta, removeMeta } from '../meta/rows.ts'
import { STATUS_BEFORE_TRASH, TRASH_TIME } from '../meta/trash-keys.ts'
import { withoutCircle } from '../no-circle.ts'
import type { ContentParts } from '../parts.ts'
import { type CommentRow, cleanText, type Db, fromJsonText } from '../rows.ts'
import { sift } from '../sift.ts'
import { gmtNow, gmtToSite, readTime, siteToGmt } from '../site-time.ts'
import type { Comment, Comments, NewComment, Posts } from '../types.ts'
import { announceStatus, announceTransition } from './announce.ts'
import { commentsWithReplies, queryComments, rangeOf } from './query.ts'

/** Comments, pingbacks and trackbacks, and the comment counts of posts. */
export function createComments({
  database,
  hooks,
  settings,
  posts,
  readers,
  registrations,
  versions,
  write: transact,
}: Pick<ContentParts, 'database' | 'hooks' | 'settings' | 'readers' | 'registrations' | 'versions' | 'write'> & {
  posts: Pick<Posts, 'getMany'>
}): Comments {
  const { db } = database
  const parts = { database, versions }
  const ofPost = (postId: number) =>
    db
      .selectFrom('comments')
      .selectAll()
      .where('post_id', '=', isRowId(postId) ? postId : 0)
      .orderBy('date_gmt')
      .orderBy('id')

  /** Post types that support comments. */
  const commentedTypes = () =>
    [...registrations.postTypes().values()].filter((type) => type.supports.includes('comments')).map(({ name }) => name)

  /** Writes and recounts in one transaction. */
  async function write(
    id: number,
    changesOf: (before: CommentRow, transaction: Db) => Promise<Partial<CommentRow>>,
  ): Promise<{ before: Comment; after: Comment }> {
    return transact(async (transaction) => {
      const before = isRowId(id)
        ? await transaction.selectFrom('comments').selectAll().where('id', '=', id).executeTakeFirst()
        : undefined
      if (!before) throw new RestError('rest_comment_invalid_id', 'Invalid comment ID.', { status: 404 })
      const changes = await changesOf(before, transaction)
      const row =
        Object.keys(changes).length === 0
          ? before
          : await transaction
              .updateTable('comments')
              .set(changes)
              .where('id', '=', id)
              .returningAll()
              .executeTakeFirstOrThrow()
      await recountComments(transaction, row.post_id)
      if (before.post_id !== row.post_id) await recountComments(transaction, before.post_id)
      return { before: toComment(before), after: toComment(row) }
    })
  }

  async function remember(transaction: Db, { id, status }: CommentRow): Promise<void> {
    await forget(transaction, id)
    await addMeta(transaction, 'comment', id, {
      [STATUS_BEFORE_TRASH]: [status],
      [TRASH_TIME]: [Math.floor(Date.now() / 1000)],
    })
  }

  async function forget(transaction: Db, id: number): Promise<void> {
    for (const key of [STATUS_BEFORE_TRASH, TRASH_TIME]) await removeMeta(transaction, 'comment', id, key)
  }

  async function setStatus(id: number, status: Comment['status']): Promise<Comment> {
    const { before, after } = await write(id, async (row, transaction) => {
      if (row.status === status) return {}
      const isHidden = status === 'trash' || status === 'spam'
      if (isHidden) await remember(transaction, row)
      else await forget(transaction, id)
      return { status }
    })
    if (before.status !== status) await announceStatus(hooks, after, before.status)
    return after
  }

  return {
    async get(id) {
      if (!isRowId(id)) return undefined
      const row = await db.selectFrom('comments').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toComment(row)
    },

    async query(query) {
      const { readableBy: user } = query
      if (user === undefined || readers.isByStatus(commentedTypes())) {
        const { rows, total } = await queryComments(parts, query)
        return { items: rows.map(toComment), total }
      }
      const pick = async (comments: readonly Comment[]) => {
        const known = await posts.getMany([...new Set(comments.map(({ postId }) => postId))])
        const open = new Set((await readers.readable([...known.values()], user)).map(({ id }) => id))
        return comments.filter(({ postId }) => open.has(postId))
      }
      const readRange = async (range: { limit: number; offset: number }) =>
        (await queryComments(parts, { ...query, ...range, noFoundRows: true })).rows.map(toComment)
      return sift(readRange, pick, { ...rangeOf(query), isCounted: !query.noFoundRows })
    },
    withReplies: (ids) => commentsWithReplies(db, ids),

    ofPost: async (postId) => (await ofPost(postId).where('status', '=', 'approved').execute()).map(toComment),
    allOfPost: async (postId) => (await ofPost(postId).execute()).map(toComment),

    async insert(comment, { once = false } = {}) {
      const { row, meta } = await transact(async (transaction) => {
        await checkInsert(transaction, comment, once)
        const row = await transaction
          .insertInto('comments')
          .values(toRow(comment, settings().timezone))
          .returningAll()
          .executeTakeFirstOrThrow()
        const meta = await insertMeta(transaction, 'comment', row.id, comment.meta ?? {})
        await recountComments(transaction, row.post_id)
        return { row, meta }
      })
      const inserted = toComment(row)
      await announceMeta(hooks, 'comment', row.id, meta)
      await hooks.limited(AFTER_COMMIT).doActionAsync('wp_insert_comment', row.id, inserted)
      return inserted
    },

    async update(id, changes) {
      const { status, meta, ...fields } = changes
      let metaChanges: readonly MetaChange[] = []
      const { before, after } = await write(id, async (row, transaction) => {
        metaChanges = await replaceMeta(transaction, 'comment', id, meta ?? {})
        // The time that was provided takes precedence.
        const times = {
          ...(fields.date !== undefined && { dateGmt: '' }),
          ...(fields.dateGmt !== undefined && { date: '' }),
        }
        const changed = toRow({ ...toComment(row), ...times, ...fields }, settings().timezone)
        return { ...changed, parent_id: await withoutCircle(transaction, 'comments', id, changed.parent_id) }
      })
      await announceMeta(hooks, 'comment', id, metaChanges)
      await hooks.limited(AFTER_COMMIT).doActionAsync('edit_comment', id, after, before)
      return status === undefined ? after : setStatus(id, status)
    },

    setStatus,

    async restore(id) {
      const { rows } = await sql<{ meta_value: string }>`
        select meta_value from commentmeta where comment_id = ${isRowId(id) ? id : 0} and meta_key = ${STATUS_BEFORE_TRASH}
        limit 1`.execute(db)
      const before = rows[0] && fromJsonText(rows[0].meta_value)
      return setStatus(id, before === 'approved' || before === 'spam' ? before : 'hold')
    },

    async delete(id) {
      const row = isRowId(id)
        ? await db.selectFrom('comments').selectAll().where('id', '=', id).executeTakeFirst()
        : undefined
      if (!row) return undefined
      const comment = toComment(row)
      await hooks.doActionAsync('delete_comment', id, comment)
      const deleted = await transact(async (transaction) => {
        await transaction
          .updateTable('comments')
          .set({ parent_id: row.parent_id })
          .where('parent_id', '=', id)
          .execute()
        const gone = await transaction.deleteFrom('comments').where('id', '=', id).returning('id').execute()
        await recountComments(transaction, row.post_id)
        return gone.length > 0
      })
      if (!deleted) return undefined
      await hooks.limited(AFTER_COMMIT).doActionAsync('deleted_comment', id, comment)
      await announceTransition(hooks, comment, 'delete', comment.status)
      return comment
    },
  }
}

/** Checked again in the transaction: the post may have been deleted, or the same comment submitted, in the meantime. */
async function checkInsert(db: Db, comment: NewComment, once: boolean): Promise<void> {
  const post = db
    .selectFrom('posts')
    .select('id')
    .where('id', '=', isRowId(comment.postId) ? comment.postId : 0)
  if (!(await post.executeTakeFirst())) {
    const message = 'Sorry, you are not allowed to create this comment without a post.'
    throw new RestError('rest_comment_invalid_post_id', message, { status: 403 })
  }
  if (once) await rejectDuplicate(db, comment)
}

/** Recounts the approved comments of a post. */
async function recountComments(db: Db, postId: number): Promise<void> {
  await db
    .updateTable('posts')
    .set((build) => ({
      comment_count: build
        .selectFrom('comments')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .where('post_id', '=', postId)
        .where('status', '=', 'approved')
        .$asScalar()
        .$notNull(),
    }))
    .where('id', '=', postId)
    .execute()
}

function toRow(comment: NewComment, timezone: string) {
  const local = readTime('date', comment.date)
  const gmt = readTime('date_gmt', comment.dateGmt) ?? (local === undefined ? gmtNow() : siteToGmt(local, timezone))
  return {
    post_id: comment.postId,
    parent_id: comment.parentId,
    user_id: comment.userId,
    author_name: cleanText(comment.authorName),
    author_email: cleanText(comment.authorEmail),
    author_url: cleanText(comment.authorUrl),
    author_address: cleanText(comment.authorAddress),
    user_agent: cleanText(comment.userAgent),
    content: cleanText(comment.content),
    status: comment.status,
    type: cleanText(comment.type),
    date: local ?? gmtToSite(gmt, timezone),
    date_gmt: gmt,
  }
}

/** Converts a row to a comment; frozen, because extensions share it. */
export function toComment(row: CommentRow): Comment {
  return Object.freeze({
    id: row.id,
    postId: row.post_id,
    parentId: row.parent_id,
    userId: row.user_id,
    authorName: row.author_name,
    authorEmail: row.author_email,
    authorUrl: row.author_url,
    authorAddress: row.author_address,
    userAgent: row.user_agent,
    content: row.content,
    status: row.status === 'approved' || row.status === 'spam' || row.status === 'trash' ? row.status : 'hold',
    type: row.type,
    date: row.date.replace(' ', 'T'),
    dateGmt: row.date_gmt.replace(' ', 'T'),
  })
}
