import { type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Database, DatabaseKind } from '../../database/index.ts'
import { toIndexed } from '../large-text/index.ts'
import type { Db, PostRow } from '../rows.ts'
import { type Question, type SearchPlace, toFts5, toTsquery } from './question.ts'

/** Weight of a word in the title against one in the text. */
const TITLE_WEIGHT = 10

/** The full-text index of posts: FTS5 on SQLite, tsvector with GIN on PostgreSQL. */
export interface SearchIndex {
  /** Writes what is found of a post; inside the transaction that saves it. */
  put(
    db: Db,
    post: Pick<PostRow, 'id' | 'type' | 'status' | 'title' | 'content' | 'excerpt' | 'password'>,
  ): Promise<void>
  remove(db: Db, ids: readonly number[]): Promise<void>
  /** Rows `id, rank` of the posts that a question finds, the best with the lowest rank. */
  find(question: Question, place?: SearchPlace): RawBuilder<{ id: number; rank: number }>
}

/** The table of the index, for `database.migrate`. */
export function searchMigrations(kind: DatabaseKind): Record<string, Migration> {
  return {
    '001_search': {
      async up(db) {
        if (kind === 'sqlite') {
          // Contentless: the text is in `posts` already. The words come folded, so `ascii` need only split at spaces.
          await sql`create virtual table post_search using fts5(
            title, content, content='', contentless_delete=1, tokenize='ascii', prefix='1 2 3')`.execute(db)
        } else {
          await sql`create table post_search (
            post_id integer primary key references posts(id) on delete cascade, words tsvector not null)`.execute(db)
          await sql`create index post_search_words on post_search using gin (words)`.execute(db)
        }
      },
    },
  }
}

export function createSearchIndex({ kind }: Pick<Database, 'kind'>): SearchIndex {
  async function remove(db: Db, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    await (kind === 'sqlite'
      ? sql`delete from post_search where rowid in (${sql.join(ids)})`.execute(db)
      : sql`delete from post_search where post_id in (${sql.join(ids)})`.execute(db))
  }

  return {
    remove,

    async put(db, post) {
      await remove(db, [post.id])
      if (post.type === 'revision' || post.status === 'auto-draft') return
      // What a password protects must not be found out by searching for it.
      const open = post.password === '' ? [post.excerpt, post.content] : []
      const { title, content } = await toIndexed(kind, { title: post.title, content: open })
      await (kind === 'sqlite'
        ? sql`insert into post_search(rowid, title, content) values (${post.id}, ${title}, ${content})`.execute(db)
        : sql`insert into post_search(post_id, words)
              values (${post.id}, ${title}::tsvector || ${content}::tsvector)`.execute(db))
    },

    find(question, place) {
      if (kind === 'sqlite') {
        const match = toFts5(question, place)
        return sql`(select rowid as id, bm25(post_search, ${sql.lit(TITLE_WEIGHT)}, 1.0) as rank
                    from post_search where post_search match ${match})`
      }
      const query = toTsquery(question, place)
      return sql`(select post_id as id, -ts_rank('{0.1, 0.2, 0.4, 1.0}', words, ${query}::tsquery) as rank
                  from post_search where words @@ ${query}::tsquery)`
    },
  }
}
