import { type Kysely, sql } from 'kysely'
import type { Database } from 'pentad'

export type RelatedTables = {
  ai_related_posts: ComparedTable
  ai_related_pairs: PairTable
}

/** Published posts that were compared or are pending. */
export type ComparedTable = {
  post_id: number
  /** `modified_gmt` of the row in `posts` at that time; empty if not compared yet. */
  modified_gmt: string
  /** 1: pending, to be compared or removed. */
  waits: number
  /** SHA-256 of title and text, base64url: unchanged text is not compared again. */
  text_hash: string
  /** Source of the comparison: `words`, or a model, `openai/text-embedding-3-small`. */
  source: string
  /** Keywords with weights as JSON; the weights are a vector of length 1. */
  terms: string
  /** Embedding: a signed byte for each dimension, base64; empty for `words`. */
  vector: string
}

/** Pairs of similar posts, each stored once, from the post that found the other. */
export type PairTable = {
  post_id: number
  other_id: number
  /** Similarity, 0 to 1; only comparable within one source. */
  score: number
}

/** The query builder of the site, with these tables. */
export type RelatedDatabase = Awaited<ReturnType<typeof openRelatedTables>>

/** Creates or migrates the tables. */
export async function openRelatedTables(database: Database) {
  await database.migrate('ai_related', { '001_related': { up: create } })
  return database.db.withTables<RelatedTables>()
}

async function create(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('ai_related_posts')
    .addColumn('post_id', 'integer', (c) => c.primaryKey())
    .addColumn('modified_gmt', 'text', (c) => c.notNull())
    .addColumn('waits', 'integer', (c) => c.notNull())
    .addColumn('text_hash', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('terms', 'text', (c) => c.notNull())
    .addColumn('vector', 'text', (c) => c.notNull())
    .execute()
  await sql`create index ai_related_posts_waiting on ai_related_posts (post_id) where waits = 1`.execute(db)
  await db.schema.createIndex('ai_related_posts_source').on('ai_related_posts').columns(['source', 'post_id']).execute()
  await db.schema
    .createTable('ai_related_pairs')
    .addColumn('post_id', 'integer', (c) => c.notNull())
    .addColumn('other_id', 'integer', (c) => c.notNull())
    .addColumn('score', 'real', (c) => c.notNull())
    .addPrimaryKeyConstraint('ai_related_pairs_key', ['post_id', 'other_id'])
    .execute()
  await db.schema.createIndex('ai_related_pairs_other').on('ai_related_pairs').column('other_id').execute()
}
