import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from 'pentad'

export type LinkTables = {
  seo_link_posts: LinkPostTable
  seo_link_addresses: AddressTable
  seo_links: LinkTable
  seo_link_terms: TermTable
  seo_link_term_counts: TermCountTable
}

/** Every published post at the time it was indexed. */
export type LinkPostTable = {
  post_id: number
  /** Index version; rows of older versions are re-indexed. */
  version: number
  /** `modified_gmt` and `path` of the row in `posts`; a difference means that it changed without an event. */
  modified_gmt: string
  path: string
  published_gmt: string
  /** 1: the page is indexable. Only such posts have links and terms. */
  indexable: number
  /** 1: indexable, and no other indexable page links to it. */
  orphan: number
  /** Hash of everything else that the index contains of the post; empty if it must be compared. */
  digest: string
}

/** URLs of posts: paths as written by `toAddress`, `?7`, and previous paths. */
export type AddressTable = {
  address: string
  post_id: number
}

/** Links between pages. The target URL may not belong to a post (yet). */
export type LinkTable = {
  /** ID of the page with the link; `NAVIGATION` for links on every page. */
  source_id: number
  address: string
}

/** Keywords of posts. */
export type TermTable = {
  post_id: number
  term: string
  /** Weight of the keyword; the weights of a post form a vector of length 1. */
  weight: number
}

/** Number of posts with a keyword; the empty keyword counts all posts. */
export type TermCountTable = {
  term: string
  posts: number
}

/** The `source_id` of links on every page: home page and menus. No post has this ID. */
export const NAVIGATION = 0

/** The query builder of the site, with these tables. */
export type LinkDatabase = Awaited<ReturnType<typeof openLinkTables>>

/** The same within a transaction. */
export type LinkHandle = LinkDatabase extends Kysely<infer Tables> ? Transaction<Tables> : never

/** Creates or migrates the tables. */
export async function openLinkTables(database: Database) {
  await database.migrate('seo_links', {
    '001_links': { up: create },
    '002_digest': {
      up: (db) =>
        db.schema
          .alterTable('seo_link_posts')
          .addColumn('digest', 'text', (c) => c.notNull().defaultTo(''))
          .execute(),
    },
  })
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
