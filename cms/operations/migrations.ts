import { coreMigrations } from '../../core/database/migrations.ts'
import type { DatabaseKind } from '../../core/database/new-tables.ts'
import { accountTables } from '../accounts/tables.ts'
import { changeTables } from '../changes/tables.ts'
import { contentTables } from '../content/migrations.ts'
import { mailTables } from '../mail/tables.ts'
import type { PartTables } from '../part-tables.ts'
import { privacyTables } from '../privacy/tables.ts'

/** The tables that every site has. Those of services and extensions are migrated when these start. */
const PARTS: readonly Pick<PartTables, 'owner' | 'migrations'>[] = [
  { owner: 'core', migrations: coreMigrations },
  accountTables,
  changeTables,
  contentTables,
  mailTables,
  privacyTables,
]

/** How the migrations in a database compare with those of this version. Names have the form `content 002_paths`. */
export interface MigrationState {
  /** Not applied yet: the database is older. */
  readonly pending: readonly string[]
  /** Applied, but unknown: the database is newer. */
  readonly unknown: readonly string[]
}

/**
 * Compares the migrations in a database with those of this version. A part without a table of migrations is of a site that is older than the part.
 * @throws Error if the database cannot be read, or is not the database of a site
 */
export async function readMigrations(
  kind: DatabaseKind,
  query: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>,
): Promise<MigrationState> {
  const tables = PARTS.map(({ owner }) => ({ owner, table: `migrations_${owner.replaceAll('-', '_')}` }))
  const names = tables.map(({ table }) => `'${table}'`).join(', ')
  const catalog =
    kind === 'sqlite'
      ? `select name from sqlite_master where name in (${names})`
      : `select tablename as name from pg_tables where schemaname = current_schema() and tablename in (${names})`
  const found = new Set((await query(catalog)).map(({ name }) => name))
  const lists = tables
    // Reading this one fails if the database is not that of a site.
    .filter(({ owner, table }) => owner === 'core' || found.has(table))
    .map(({ owner, table }) => `select '${owner}' as owner, name from ${table}`)
  const applied = new Set((await query(lists.join(' union all '))).map(({ owner, name }) => `${owner} ${name}`))
  const known = PARTS.flatMap(({ owner, migrations }) =>
    Object.keys(migrations(kind)).map((name) => `${owner} ${name}`),
  )
  return {
    pending: known.filter((name) => !applied.has(name)),
    unknown: [...applied].filter((name) => !known.includes(name)),
  }
}
