import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseKind } from '../../../core/database/index.ts'
import { toIndexed } from '../large-text/index.ts'
import type { Db, PostRow } from '../rows.ts'
import type { SearchDocument } from './document.ts'
import { type Question, type SearchScope, toFts5, toTsquery } from './question.ts'

/** Weight of a word in the title against one in the text. */
const TITLE_WEIGHT = 10

/** The fields that determine the indexed words of a post. */
export type Searched = Pick<PostRow, 'type' | 'status' | 'title' | 'content' | 'excerpt' | 'password'>

/** The words by which a post is found; none for revisions and automatic drafts. */
export interface SearchEntry {
  readonly of: Searched
  readonly document: SearchDocument | undefined
}

/** The full-text index of posts: FTS5 on SQLite, tsvector with GIN on PostgreSQL. */
export interface SearchIndex {
  /** Computes the words of a post. Takes long for large texts, so call it before the transaction, which blocks other writers. */
  entry(post: Searched): Promise<SearchEntry>
  /**
   * Writes the words of a post; inside the transaction that saves it.
   * @param prepared worked out again if the text changed since
   */
  put(db: Db, post: Searched & Pick<PostRow, 'id'>, prepared: SearchEntry): Promise<void>
  remove(db: Db, ids: readonly number[]): Promise<void>
  /** Rows `id, rank` of the posts that a question finds, the best with the lowest rank. */
  find(question: Question, scope?: SearchScope): RawBuilder<{ id: number; rank: number }>
}

/** Creates the table of the index. */
export async function createSearchTable(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  if (kind === 'sqlite') {
    // Contentless: the text is in `posts` already. The words come folded, so `ascii` need only split at spaces.
    await sql`create virtual table post_search using fts5(
            title, content, content='', contentless_delete=1, tokenize='ascii', prefix='1 2 3')`.execute(db)
  } else {
    await sql`create table post_search (
            post_id integer primary key references posts(id) on delete cascade, words tsvector not null)`.execute(db)
    await sql`create index post_search_words on post_search using gin (words)`.execute(db)
  }
}

export function createSearchIndex({ kind }: Pick<Database, 'kind'>): SearchIndex {
  async function remove(db: Db, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    await (kind === 'sqlite'
      ? sql`delete from post_search where rowid in (${sql.join(ids)})`.execute(db)
      : sql`delete from post_search where post_id in (${sql.join(ids)})`.execute(db))
  }

  async function entry(post: Searched): Promise<SearchEntry> {
    if (!isIndexed(post)) return { of: post, document: undefined }
    // Protected text must not be revealed by searches.
    const open = post.password === '' ? [post.excerpt, post.content] : []
    return { of: post, document: await toIndexed(kind, { title: post.title, content: open }) }
  }

  return {
    entry,
    remove,

    async put(db, post, prepared) {
      const { document } = isFoundAlike(prepared.of, post) ? prepared : await entry(post)
      if (!document) return remove(db, [post.id])
      const { title, content } = document
      await (kind === 'sqlite'
        ? sql`replace into post_search(rowid, title, content) values (${post.id}, ${title}, ${content})`.execute(db)
        : sql`insert into post_search(post_id, words)
              values (${post.id}, ${title}::tsvector || ${content}::tsvector)
              on conflict (post_id) do update set words = excluded.words`.execute(db))
    },

    find(question, scope) {
      if (kind === 'sqlite') {
        const match = toFts5(question, scope)
        return sql`(select rowid as id, bm25(post_search, ${sql.lit(TITLE_WEIGHT)}, 1.0) as rank
                    from post_search where post_search match ${match})`
      }
      const query = toTsquery(question, scope)
      return sql`(select post_id as id, -ts_rank('{0.1, 0.2, 0.4, 1.0}', words, ${query}::tsquery) as rank
                  from post_search where words @@ ${query}::tsquery)`
    },
  }
}

const isIndexed = ({ type, status }: Searched) => type !== 'revision' && status !== 'auto-draft'

/** Whether the same words find both. */
export function isFoundAlike(one: Searched, other: Searched): boolean {
  return (
    isIndexed(one) === isIndexed(other) &&
    (one.password === '') === (other.password === '') &&
    one.title === other.title &&
    one.excerpt === other.excerpt &&
    one.content === other.content
  )
}
