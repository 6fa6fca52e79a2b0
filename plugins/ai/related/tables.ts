import { type Kysely, sql } from 'kysely'
import type { Database } from 'pentad'

export type RelatedTables = {
  ai_related_posts: ComparedTable
  ai_related_pairs: PairTable
}

/** Published posts that were compared with the others, or wait for it. */
export type ComparedTable = {
  post_id: number
  /** `modified_gmt` of the row in `posts`, as it was then; empty if it was not compared yet. */
  modified_gmt: string
  /** 1: it waits to be compared, or forgotten. */
  waits: number
  /** SHA-256 of title and text, base64url: what says the same is not compared again. */
  text_hash: string
  /** What it was compared by: `words`, or a model, `openai/text-embedding-3-small`. */
  source: string
  /** The words that it is about with their weights, JSON; the weights are a vector of length 1. */
  terms: string
  /** What the model made of it: a signed byte for each dimension, base64; empty for `words`. */
  vector: string
}

/** Posts that are alike. Each pair is there once, from the post that found the other. */
export type PairTable = {
  post_id: number
  other_id: number
  /** From 0 to 1; only those of one source can be compared. */
  score: number
}

/** The site's query builder, which knows these tables too. */
export type RelatedDatabase = Awaited<ReturnType<typeof openRelatedTables>>

/** Makes the tables or brings them up to date. */
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
