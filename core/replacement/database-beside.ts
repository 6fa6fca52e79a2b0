import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createDatabase, type Database, type DatabaseKind, type DatabasePlace, type Schema } from '../database/index.ts'
import { SITE_DATABASE } from '../database/site-file.ts'

/** Tables that a part of the site makes itself, rather than as an archive says. */
export interface PartTables {
  /** As in `database.migrate`. */
  readonly owner: string
  migrations(kind: DatabaseKind): Record<string, Migration>
  /** Makes the rows that archives leave out of those that are there, a transaction at each step. */
  derive(database: Pick<Database, 'kind' | 'db'>): AsyncIterable<void>
}

/** A database with the tables of the host and of its parts that is to take the place of the site's. */
export interface DatabaseBeside {
  readonly kind: DatabaseKind
  readonly db: Kysely<Schema>
  /** Makes what archives leave out, such as the search index, step by step; once all rows of the archive are there. */
  derive(): AsyncIterable<void>
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
export async function openDatabaseBeside(
  config: Config,
  place: DatabasePlace,
  parts: readonly PartTables[],
): Promise<DatabaseBeside> {
  const database = await createDatabase(config, place)
  const { kind, db } = database
  try {
    for (const { owner, migrations } of parts) await database.migrate(owner, migrations(kind))
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    kind,
    db,
    async *derive() {
      for (const part of parts) yield* part.derive(database)
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
