import { sql } from 'kysely'
import { RestError, type StagingDatabase } from 'pentad'
import type { TableHead } from '../database/format.ts'
import { isForeignKey, makesIndex, makesTable, unsafeFunction } from './statements.ts'

/** Column names of a table; empty if the table does not exist. */
export async function columnsOf({ db, kind }: StagingDatabase, table: string): Promise<string[]> {
  const { rows } = await (kind === 'sqlite'
    ? sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db)
    : sql<{ name: string }>`select attname as name from pg_attribute join pg_class on pg_class.oid = attrelid
        where relname = ${table} and relnamespace = current_schema()::regnamespace and attnum > 0
          and not attisdropped`.execute(db))
  return rows.map(({ name }) => name)
}

/** Creates the table of an extension. */
export async function createTable(database: StagingDatabase, { table, create }: TableHead): Promise<void> {
  const [statement = ''] = create
  if (!makesTable(statement, table, database.kind)) throw invalidTable(table)
  await rejectUnsafeFunction(database, table, statement)
  await sql.raw(statement).execute(database.db)
  if ((await columnsOf(database, table)).length === 0) throw invalidTable(table)
}

/** Creates its indexes after the rows were inserted, which is faster. */
export async function createIndexes(database: StagingDatabase, { table, create }: TableHead): Promise<void> {
  for (const statement of create.slice(1)) {
    if (!makesIndex(statement, table, database.kind)) throw invalidTable(table)
    await rejectUnsafeFunction(database, table, statement)
    await sql.raw(statement).execute(database.db)
  }
}

/**
 * Adds foreign keys once all tables exist. Yields a warning for each that cannot be added, since the rows matter more.
 */
export async function* addForeignKeys({ db, kind }: StagingDatabase, head: TableHead): AsyncGenerator<string> {
  const { table, foreignKeys = [] } = head
  for (const rule of foreignKeys) {
    if (!isForeignKey(rule, kind)) throw invalidTable(table)
    try {
      await sql`alter table ${sql.id(table)} add ${sql.raw(rule)}`.execute(db)
    } catch {
      yield `A foreign key of the table ${JSON.stringify(table)} could not be restored.`
    }
  }
}

/** Adds columns unknown to the host, from an extension or another version, so that their values are restored. */
export async function addColumns(database: StagingDatabase, { table, columns }: TableHead): Promise<void> {
  const known = await columnsOf(database, table)
  for (const column of columns.filter((name) => !known.includes(name))) {
    const type = database.kind === 'sqlite' ? sql`` : sql`text`
    await sql`alter table ${sql.id(table)} add column ${sql.id(column)} ${type}`.execute(database.db)
  }
}

/** Sets the next row id to what it was on the original site. */
export async function setLastId({ db, kind }: StagingDatabase, { table, lastId = 0 }: TableHead): Promise<void> {
  if (kind === 'sqlite') {
    if (lastId === 0) return
    await sql`update sqlite_sequence set seq = ${lastId} where name = ${table} and seq < ${lastId}`.execute(db)
    await sql`insert into sqlite_sequence (name, seq) select ${table}, ${lastId}
      where not exists (select 1 from sqlite_sequence where name = ${table})`.execute(db)
    return
  }
  const { rows } = await sql<{
    name: string
  }>`select attname as name from pg_attribute join pg_class on pg_class.oid = attrelid
    where relname = ${table} and relnamespace = current_schema()::regnamespace and attidentity <> ''`.execute(db)
  for (const { name } of rows) {
    await sql`select setval(pg_get_serial_sequence(quote_ident(${table}), ${name}),
      greatest(${lastId}::int8, (select coalesce(max(${sql.id(name)}), 0) from ${sql.id(table)}), 1),
      greatest(${lastId}::int8, (select coalesce(max(${sql.id(name)}), 0) from ${sql.id(table)})) > 0)`.execute(db)
  }
}

async function rejectUnsafeFunction(database: StagingDatabase, table: string, statement: string): Promise<void> {
  if ((await unsafeFunction(database, statement)) !== undefined) throw invalidTable(table)
}

function invalidTable(table: string): RestError {
  const message = `The archive contains an invalid definition of the table ${JSON.stringify(table.slice(0, 100))}.`
  return new RestError('archive_corrupt', message, { status: 400, reason: 'archive_unsafe' })
}
