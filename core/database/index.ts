import { join } from 'node:path'
import { type Driver, Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { isLocked } from './errors.ts'
import { coreMigrations } from './migrations.ts'
import type { DatabaseKind } from './new-tables.ts'
import type { Schema } from './schema.ts'
import { SITE_DATABASE } from './site-file.ts'
import { createSqliteDialect } from './sqlite.ts'
import { withQuickTableNames } from './table-names.ts'

export type { DatabaseKind } from './new-tables.ts'
export type * from './schema.ts'

/** Rows of the site: one typed query builder over SQLite or PostgreSQL. */
export interface Database {
  readonly kind: DatabaseKind
  /**
   * The query builder. Inside `db.transaction()` use the transaction's own handle only, and fire
   * no hooks there: a callback that writes through `db` would wait for the transaction it runs in.
   */
  readonly db: Kysely<Schema>
  /**
   * Brings an owner's tables up to date: each migration runs once, in the order of their names.
   * Owners do not see one another's migrations.
   *
   * @throws Error if one fails, or if the tables are of a newer version, which has run migrations that are not given
   */
  migrate(owner: string, migrations: Record<string, Migration>): Promise<void>
  close(): Promise<void>
}

/** The database of a site as parts that join the host see it. */
export interface SiteDatabase extends Database {
  /**
   * Resolves when it can be written to, which another process may keep it from.
   *
   * @throws Error that says so if that takes longer than `START_LOCK_TIMEOUT`
   */
  awaitWritable(): Promise<void>
  /**
   * The same rows through a driver that wraps the site's own. It is ready, and must not close the site's.
   *
   * @param wrap - Gets the site's driver, and what it calls when rows may have changed.
   */
  through(wrap: (driver: Driver, wrote: () => void) => Driver): Pick<Database, 'kind' | 'db' | 'migrate'>
  /** Calls back when an owner may have changed rows: what was read before may not be so any more. */
  onForeignWrite(changed: () => void): void
}

/** Milliseconds that the start of a site waits for another process that writes. */
const START_LOCK_TIMEOUT = 30_000

/** Where a database lies that is not the site's own: a file of its own, or in PostgreSQL a schema. */
export interface DatabasePlace {
  /** Absolute path; its folder exists. */
  readonly file: string
  readonly schema: string
}

/**
 * Opens the site's database and creates or updates the host's own tables.
 *
 * @param beside - Opens another one there, to be filled from a backup: rows may come before those that they refer to,
 *   and nothing is safe on the disk before it is closed.
 */
export async function createDatabase(
  config: { siteDir: string; databaseUrl?: string | undefined },
  beside?: DatabasePlace,
): Promise<SiteDatabase> {
  const kind: DatabaseKind = config.databaseUrl ? 'postgres' : 'sqlite'
  const dialect = config.databaseUrl
    ? new PostgresDialect({ pool: (await import('./postgres.ts')).createPool(config.databaseUrl, beside?.schema) })
    : createSqliteDialect(beside?.file ?? join(config.siteDir, SITE_DATABASE), { filling: beside !== undefined })
  const quick = withQuickTableNames(dialect, kind)
  const driver = quick.createDriver()
  const open = (used: Driver) => new Kysely<Schema>({ dialect: { ...quick, createDriver: () => used } })
  const db = open(driver)

  /** The migrations that have run. The migrator would look at all tables of the database to learn that, for each owner. */
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
          `The tables of ${owner} were migrated by a newer version, with the migration ${newer.join(', ')}. Install that version again, or restore a backup from before it.`,
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
      throw new Error(`The tables of ${owner} could not be migrated: ${describe(error)}`, { cause: error })
    }
  }

  const migrate = migrateBy(db)
  const listeners: (() => void)[] = []
  const foreignWrite = () => {
    for (const changed of listeners) changed()
  }
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
    onForeignWrite(changed) {
      listeners.push(changed)
    },
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

/** The driver's own words, which name host and port and no password. */
function describe(error: unknown): string {
  // A name with several addresses fails once for each, and the whole has no words of its own.
  if (error instanceof AggregateError) return error.errors.map(describe).join(', ')
  return error instanceof Error ? error.message : String(error)
}
