import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from 'pentad'

export type LinkTables = {
  seo_link_posts: LinkPostTable
  seo_link_addresses: AddressTable
  seo_links: LinkTable
  seo_link_terms: TermTable
  seo_link_term_counts: TermCountTable
}

/** Every published post, as it was when it was looked at. */
export type LinkPostTable = {
  post_id: number
  /** How it was looked at: rows of an older version are made anew. */
  version: number
  /** `modified_gmt` and `path` of the row in `posts`: if they differ, it changed behind our back. */
  modified_gmt: string
  path: string
  published_gmt: string
  /** 1: search engines may keep its page. Only such posts have links and terms. */
  indexable: number
  /** 1: it is indexable, and no other indexable page links to it. */
  orphan: number
}

/** Where posts are found: paths as `toAddress` writes them, `?7`, and paths that they had before. */
export type AddressTable = {
  address: string
  post_id: number
}

/** Links between pages. Addresses need not be those of a post, or not yet. */
export type LinkTable = {
  /** The page with the link; `NAVIGATION` for what stands on every page. */
  source_id: number
  address: string
}

/** What posts are about: the words that stand out in each. */
export type TermTable = {
  post_id: number
  term: string
  /** How much the word stands out: the weights of a post are a vector of length 1. */
  weight: number
}

/** In how many posts a word stands out; the empty word counts all posts. */
export type TermCountTable = {
  term: string
  posts: number
}

/** The `source_id` of links that stand on every page: home and menu. No post has this id. */
export const NAVIGATION = 0

/** The site's query builder, which knows these tables too. */
export type LinkDatabase = Awaited<ReturnType<typeof openLinkTables>>

/** Its handle within a transaction. */
export type LinkHandle = LinkDatabase extends Kysely<infer Tables> ? Transaction<Tables> : never

/** Makes the tables or brings them up to date. */
export async function openLinkTables(database: Database) {
  await database.migrate('seo_links', { '001_links': { up: create } })
  return database.db.withTables<LinkTables>()
}

async function create(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('seo_link_posts')
    .addColumn('post_id', 'integer', (c) => c.primaryKey())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('modified_gmt', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('published_gmt', 'text', (c) => c.notNull())
    .addColumn('indexable', 'integer', (c) => c.notNull())
    .addColumn('orphan', 'integer', (c) => c.notNull())
    .execute()
  await sql`create index seo_link_posts_orphans on seo_link_posts (published_gmt desc, post_id desc) where orphan = 1`.execute(
    db,
  )
  await db.schema
    .createTable('seo_link_addresses')
    .addColumn('address', 'text', (c) => c.primaryKey())
    .addColumn('post_id', 'integer', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('seo_link_addresses_post').on('seo_link_addresses').column('post_id').execute()
  await db.schema
    .createTable('seo_links')
    .addColumn('source_id', 'integer', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('seo_links_key', ['source_id', 'address'])
    .execute()
  await db.schema.createIndex('seo_links_address').on('seo_links').columns(['address', 'source_id']).execute()
  await db.schema
    .createTable('seo_link_terms')
    .addColumn('post_id', 'integer', (c) => c.notNull())
    .addColumn('term', 'text', (c) => c.notNull())
    .addColumn('weight', 'real', (c) => c.notNull())
    .addPrimaryKeyConstraint('seo_link_terms_key', ['post_id', 'term'])
    .execute()
  await sql`create index seo_link_terms_weight on seo_link_terms (term, weight desc, post_id)`.execute(db)
  await db.schema
    .createTable('seo_link_term_counts')
    .addColumn('term', 'text', (c) => c.primaryKey())
    .addColumn('posts', 'integer', (c) => c.notNull())
    .execute()
}
