import { answeredComments, queryComments } from './comment-query.ts'
import { addMeta } from './meta.ts'
import type { ContentParts } from './parts.ts'
import { type CommentRow, cleanText, type Db, isRowId } from './rows.ts'
import { gmtNow, gmtToSite, readTime, siteToGmt } from './site-time.ts'
import type { Comment, Comments, NewComment } from './types.ts'

/** Comments, pingbacks and trackbacks; keeps the posts' counts of approved ones right. */
export function createComments({
  database,
  hooks,
  settings,
}: Pick<ContentParts, 'database' | 'hooks' | 'settings'>): Comments {
  const { db } = database
  const ofPost = (postId: number) =>
    db
      .selectFrom('comments')
      .selectAll()
      .where('post_id', '=', isRowId(postId) ? postId : 0)
      .orderBy('date_gmt')
      .orderBy('id')

  return {
    async get(id) {
      if (!isRowId(id)) return undefined
      const row = await db.selectFrom('comments').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toComment(row)
    },

    async query(query) {
      const { rows, total } = await queryComments(db, query)
      return { items: rows.map(toComment), total }
    },
    answered: (ids) => answeredComments(db, ids),

    ofPost: async (postId) => (await ofPost(postId).where('status', '=', 'approved').execute()).map(toComment),
    allOfPost: async (postId) => (await ofPost(postId).execute()).map(toComment),

    async insert(comment) {
      const row = await db.transaction().execute(async (transaction) => {
        const inserted = await transaction
          .insertInto('comments')
          .values(toRow(comment, settings().timezone))
          .returningAll()
          .executeTakeFirstOrThrow()
        await addMeta(transaction, 'comment', inserted.id, comment.meta ?? {})
        await recountComments(transaction, inserted.post_id)
        return inserted
      })
      const inserted = toComment(row)
      await hooks.doActionAsync('wp_insert_comment', row.id, inserted)
      return inserted
    },
  }
}

/** Counts the approved comments of a post anew. */
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

function toComment(row: CommentRow): Comment {
  return {
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
  }
}
