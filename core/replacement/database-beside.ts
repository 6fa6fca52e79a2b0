import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { contentMigrations } from '../../cms/content/migrations.ts'
import { createSearchIndex } from '../../cms/content/search/index.ts'
import { createDatabase, type DatabaseKind, type DatabasePlace, type Schema } from '../database/index.ts'
import { SITE_DATABASE } from '../database/site-file.ts'

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

/** Rows of the security log that are copied together. */
const LOG_ROWS = 500

/**
 * Makes the database, or opens it again as far as it was filled. Closing it copies the security log of the site: a restore
 * must not take away what happened on the site since the backup.
 */
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
      const entries = await Promise.all(posts.map(async (post) => [post, await search.entry(post)] as const))
      await db.transaction().execute(async (transaction) => {
        for (const [post, entry] of entries) await search.put(transaction, post, entry)
      })
      return posts.at(-1)?.id
    },
    async close() {
      try {
        await keepSecurityLog(config, db)
      } finally {
        await database.close()
      }
    },
  }
}

/** Of the database that is to be replaced; one that is broken or not there has none, and must not keep a restore from its end. */
async function keepSecurityLog(config: Config, to: Kysely<Schema>): Promise<void> {
  if (config.databaseUrl === undefined && !existsSync(join(config.siteDir, SITE_DATABASE))) return
  const live = await createDatabase(config).catch(() => undefined)
  try {
    if (live) await copySecurityLog(live.db, to)
  } catch {
    await to.deleteFrom('security_log').execute()
  } finally {
    await live?.close()
  }
}

async function copySecurityLog(from: Kysely<Schema>, to: Kysely<Schema>): Promise<void> {
  await to.deleteFrom('security_log').execute()
  for (let after = 0; ; ) {
    const rows = await from
      .selectFrom('security_log')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(LOG_ROWS)
      .execute()
    if (rows.length === 0) return
    await to
      .insertInto('security_log')
      .values(rows.map(({ id: _, ...row }) => row))
      .execute()
    after = rows.at(-1)?.id ?? after
  }
}

/** Removes it, whatever is in it. */
export async function removeDatabaseBeside({ databaseUrl }: Config, { file, schema }: DatabasePlace): Promise<void> {
  if (databaseUrl !== undefined) return (await import('../database/postgres.ts')).dropSchema(databaseUrl, schema)
  for (const path of [file, `${file}-wal`, `${file}-shm`]) await rm(path, { force: true })
}
