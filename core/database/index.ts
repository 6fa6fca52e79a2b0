import { join } from 'node:path'
import { type Driver, Kysely, type LogEvent, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Config } from '../config.ts'
import { messageOf } from '../errors.ts'
import { isLocked } from './errors.ts'
import { coreMigrations } from './migrations.ts'
import type { DatabaseKind } from './new-tables.ts'
import type { Schema } from './schema.ts'
import { SITE_DATABASE } from './site-file.ts'
import { createSqliteDialect, SqliteDriver } from './sqlite.ts'
import { withQuickTableNames } from './table-names.ts'

export type { DatabaseKind } from './new-tables.ts'
export type * from './schema.ts'

/** The database of the site: a typed query builder for SQLite or PostgreSQL. */
export interface Database {
  readonly kind: DatabaseKind
  /**
   * The query builder. Inside `db.transaction()`, use only the transaction's own handle and fire no hooks: a callback that writes through
   * `db` would deadlock, waiting for the transaction in which it runs.
   */
  readonly db: Kysely<Schema>
  /**
   * Migrates an owner's tables: each migration runs once, in alphabetical order of the names. Owners have separate migrations.
   *
   * @throws Error if a migration fails, or if the tables were migrated by a newer version, whose migrations are missing here
   */
  migrate(owner: string, migrations: Record<string, Migration>): Promise<void>
  close(): Promise<void>
}

/** The database as seen by parts of the product. */
export interface SiteDatabase extends Database {
  /**
   * Resolves when the database is writable, which another process can prevent by holding its lock.
   *
   * @throws Error if that takes longer than `START_LOCK_TIMEOUT`
   */
  awaitWritable(): Promise<void>
  /**
   * Creates a view of the database whose driver wraps the site's driver, which it must not close.
   *
   * @param wrap - Receives the site's driver, and a function to call when rows may have changed.
   */
  through(wrap: (driver: Driver, wrote: () => void) => Driver): Pick<Database, 'kind' | 'db' | 'migrate'>
  /** A number that changes when another process has written to SQLite's file, `NaN` if it cannot be read. On PostgreSQL, always 0. */
  externalVersion(): number
  /** Calls the listener when an owner may have changed rows, to invalidate caches. */
  onForeignWrite(changed: () => void): void
  /** Calls the listener after every statement of the site and its extensions. */
  onStatement(executed: (event: LogEvent) => void): void
}

/** Maximum milliseconds that the start of a site waits for the write lock of another process. */
const START_LOCK_TIMEOUT = 30_000

/** Location of a staging database: a separate SQLite file, or a schema in PostgreSQL. */
export interface DatabasePlace {
  /** Absolute path; its folder exists. */
  readonly file: string
  readonly schema: string
}

/**
 * Opens the site's database and creates or updates the host's own tables.
 *
 * @param beside - Opens a staging database there instead, to be filled from a backup: foreign keys are not enforced, and writes are
 *   durable only once it is closed.
 */
export async function createDatabase(
  config: Pick<Config, 'siteDir'> & Partial<Pick<Config, 'databaseUrl'>>,
  beside?: DatabasePlace,
): Promise<SiteDatabase> {
  const kind: DatabaseKind = config.databaseUrl ? 'postgres' : 'sqlite'
  const dialect = config.databaseUrl
    ? new PostgresDialect({ pool: (await import('./postgres.ts')).createPool(config.databaseUrl, beside?.schema) })
    : createSqliteDialect(beside?.file ?? join(config.siteDir, SITE_DATABASE), { filling: beside !== undefined })
  const quick = withQuickTableNames(dialect, kind)
  const driver = quick.createDriver()
  const watchers: ((event: LogEvent) => void)[] = []
  const log = (event: LogEvent) => void watchers.map((watch) => watch(event))
  const open = (used: Driver) => new Kysely<Schema>({ dialect: { ...quick, createDriver: () => used }, log })
  const db = open(driver)

  /** The migrations that have run. Read directly, because the migrator would inspect all tables of the database for each owner. */
  async function haveRun(table: string, db: Kysely<Schema>): Promise<string[]> {
    const isThere =
      kind === 'sqlite'
        ? sql`select 1 from sqlite_master where name = ${table}`
        : sql`select 1 where to_regclass(${table}) is not null`
    if ((await isThere.execute(db)).rows.length === 0) return []
    const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)}`.execute(db)
    return rows.map(({ name }) => name)
  }

  const migrateBy = (db: Kysely<Schema>) => async (owner: string, migrations: Record<string, Migration>) => {
    const table = `migrations_${owner.replaceAll('-', '_')}`
    if (!beside) {
      const run = await haveRun(table, db)
      const newer = run.filter((name) => !Object.hasOwn(migrations, name))
      if (newer.length > 0) {
        throw new Error(
          `The tables of ${owner} were migrated by a newer version, with the migration ${newer.join(', ')}. Install that version again, or restore a backup from before the migration.`,
        )
      }
      if (run.length === Object.keys(migrations).length) return
    }
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => migrations },
      migrationTableName: table,
      migrationLockTableName: `${table}_lock`,
      ...(kind === 'postgres' && beside && { migrationTableSchema: beside.schema }),
    })
    const { error } = await migrator.migrateToLatest()
    if (error) {
      throw new Error(`The tables of ${owner} could not be migrated: ${messageOf(error)}`, { cause: error })
    }
  }

  const migrate = migrateBy(db)
  const listeners: (() => void)[] = []
  const foreignWrite = () => void listeners.map((changed) => changed())
  try {
    await migrate('core', coreMigrations(kind))
  } catch (error) {
    await db.destroy()
    throw error
  }
  return {
    kind,
    db,
    migrate,
    close: () => db.destroy(),
    externalVersion: () => (driver instanceof SqliteDriver ? driver.version() : 0),
    onForeignWrite: (changed) => void listeners.push(changed),
    onStatement: (executed) => void watchers.push(executed),
    async awaitWritable() {
      for (const start = performance.now(); ; ) {
        try {
          await db.transaction().execute(async () => {})
          return
        } catch (error) {
          if (!isLocked(error)) throw error
          if (performance.now() - start < START_LOCK_TIMEOUT) continue
          throw new Error(
            "The site's database is locked by another process. End that process, or wait until it finishes, and start again.",
            { cause: error },
          )
        }
      }
    },
    through(wrap) {
      const wrapped = open(wrap(driver, foreignWrite))
      return { kind, db: wrapped, migrate: migrateBy(wrapped) }
    },
  }
}
