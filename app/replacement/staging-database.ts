import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { PartTables } from '../../cms/part-tables.ts'
import { createDatabase, type DatabaseKind, type DatabasePlace, type Schema } from '../../core/database/index.ts'
import { SITE_DATABASE } from '../../core/database/site-file.ts'

/** A database with the tables of the host and of its parts that will replace the site's database. */
export interface StagingDatabase {
  readonly kind: DatabaseKind
  readonly db: Kysely<Schema>
  /** Rebuilds derived data that archives do not contain, such as the search index, in steps, once all rows have been restored. */
  derive(): AsyncIterable<void>
  /** SQLite: afterward, all data is in one file, which the caller flushes. */
  close(): Promise<void>
}

type Config = { readonly siteDir: string; readonly databaseUrl?: string | undefined }

/** Rows of the security log that are copied together. */
const LOG_ROWS = 500

/**
 * Creates the staging database, or reopens a partially filled one. Closing it copies the security log of the site:
 * a restore must not remove what was recorded since the backup.
 */
export async function openStagingDatabase(
  config: Config,
  place: DatabasePlace,
  parts: readonly PartTables[],
): Promise<StagingDatabase> {
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

/** Copies the security log of the current database; a damaged or missing one must not prevent a restore. */
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

/** Deletes the staging database with its contents. */
export async function removeStagingDatabase({ databaseUrl }: Config, { file, schema }: DatabasePlace): Promise<void> {
  if (databaseUrl !== undefined) return (await import('./postgres-tables.ts')).dropSchema(databaseUrl, schema)
  for (const path of [file, `${file}-wal`, `${file}-shm`]) await rm(path, { force: true })
}
