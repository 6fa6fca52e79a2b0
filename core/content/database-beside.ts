import { rm } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import { createDatabase, type DatabaseKind, type DatabasePlace, type Schema } from '../database/index.ts'
import { contentMigrations } from './migrations.ts'
import { createSearchIndex } from './search/index.ts'

/** A database with the tables of core and content that is to take the place of the site's. */
export interface DatabaseBeside {
  readonly kind: DatabaseKind
  readonly db: Kysely<Schema>
  /**
   * Makes the search index for so many posts after that id, once they are all there.
   * @returns the last id, or `undefined` when there is no further post
   */
  indexPosts(after: number, limit: number): Promise<number | undefined>
  /** SQLite: afterwards all of it is in its one file; the caller flushes it. */
  close(): Promise<void>
}

type Config = { readonly siteDir: string; readonly databaseUrl?: string | undefined }

/** Makes the database, or opens it again as far as it was filled. */
export async function openDatabaseBeside(config: Config, place: DatabasePlace): Promise<DatabaseBeside> {
  const database = await createDatabase(config, place)
  const { kind, db } = database
  try {
    await database.migrate('content', contentMigrations(kind))
  } catch (error) {
    await database.close()
    throw error
  }
  const search = createSearchIndex(database)
  return {
    kind,
    db,
    async indexPosts(after, limit) {
      const posts = await db
        .selectFrom('posts')
        .selectAll()
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      await db.transaction().execute(async (transaction) => {
        for (const post of posts) await search.put(transaction, post)
      })
      return posts.at(-1)?.id
    },
    close: () => database.close(),
  }
}

/** Removes it, whatever is in it. */
export async function removeDatabaseBeside({ databaseUrl }: Config, { file, schema }: DatabasePlace): Promise<void> {
  if (databaseUrl !== undefined) return (await import('../database/postgres.ts')).dropSchema(databaseUrl, schema)
  for (const path of [file, `${file}-wal`, `${file}-shm`]) await rm(path, { force: true })
}
