import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../core/database/index.ts'
import { isRowId } from '../../../core/database/row-id.ts'
import { RestError } from '../../../core/errors.ts'
import { unindexed } from '../posts/filters.ts'
import { cleanText, type Db } from '../rows.ts'
import type { NewComment } from '../types.ts'

type Author = Pick<NewComment, 'userId' | 'authorName' | 'authorEmail' | 'authorAddress'>

/** Queries of earlier comments. */
export interface History {
  /** @throws RestError 409 `comment_duplicate`, like the function below */
  rejectDuplicate(comment: NewComment): Promise<void>
  /** Time of the author's last comment between these times; all UTC, `YYYY-MM-DD HH:MM:SS`. */
  lastTime(author: Author, since: string, until: string): Promise<string | undefined>
  /** Whether a comment of the author was approved before. */
  wasApproved(author: Author): Promise<boolean>
}

/**
 * Rejects a comment that the same author has already submitted in the same place, unless that one is in the trash.
 * @throws RestError 409 `comment_duplicate`
 */
export async function rejectDuplicate(db: Db, comment: NewComment): Promise<void> {
  const email = cleanText(comment.authorEmail)
  const row = await db
    .selectFrom('comments')
    .select('id')
    .where('post_id', '=', isRowId(comment.postId) ? comment.postId : 0)
    // Without statistics, SQLite would otherwise scan all comments of the site that are not replies.
    .where(unindexed('comments.parent_id'), '=', comment.parentId)
    .where('status', '!=', 'trash')
    .where((build) =>
      build.or([
        build('author_name', '=', cleanText(comment.authorName)),
        ...(email === '' ? [] : [build('author_email', '=', email)]),
      ]),
    )
    .where('content', '=', cleanText(comment.content))
    .limit(1)
    .executeTakeFirst()
  if (!row) return
  const message = 'Duplicate comment detected; it looks as though you’ve already said that!'
  throw new RestError('comment_duplicate', message, { status: 409 })
}

/** The checks of WordPress's `wp_allow_comment` and `check_comment`. */
export function createHistory({ db }: Pick<Database, 'db'>): History {
  return {
    rejectDuplicate: (comment) => rejectDuplicate(db, comment),

    async lastTime({ userId, authorAddress, authorEmail }, since, until) {
      const is = (column: 'user_id' | 'author_address' | 'author_email', value: number | string) =>
        db
          .selectFrom('comments')
          .select('date_gmt')
          .where(sql<SqlBool>`${sql.ref(column)} = ${value}`)
          .where('date_gmt', '>=', since)
          .where('date_gmt', '<=', until)
          .orderBy('date_gmt', 'desc')
          .limit(1)
          .executeTakeFirst()
      const rows =
        userId > 0
          ? [await is('user_id', userId)]
          : [
              authorAddress === '' ? undefined : await is('author_address', cleanText(authorAddress)),
              authorEmail === '' ? undefined : await is('author_email', cleanText(authorEmail)),
            ]
      return rows
        .flatMap((row) => row?.date_gmt ?? [])
        .sort()
        .at(-1)
    },

    async wasApproved({ userId, authorName, authorEmail }) {
      const approved = db.selectFrom('comments').select('id').where('status', '=', 'approved').limit(1)
      const row =
        userId > 0
          ? await approved.where('user_id', '=', userId).executeTakeFirst()
          : await approved
              .where('author_email', '=', cleanText(authorEmail))
              .where('author_name', '=', cleanText(authorName))
              .executeTakeFirst()
      return row !== undefined
    },
  }
}
