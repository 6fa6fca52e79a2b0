import { sql } from 'kysely'
import { RestError, type StagingDatabase } from 'pentad'
import type { TableHead } from '../database/format.ts'
import { isForeignKey, makesIndex, makesTable, unsafeFunction } from './statements.ts'

/** Names of a table's columns; none if there is no such table. */
export async function columnsOf({ db, kind }: StagingDatabase, table: string): Promise<string[]> {
  const { rows } = await (kind === 'sqlite'
    ? sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db)
    : sql<{ name: string }>`select attname as name from pg_attribute join pg_class on pg_class.oid = attrelid
        where relname = ${table} and relnamespace = current_schema()::regnamespace and attnum > 0
          and not attisdropped`.execute(db))
  return rows.map(({ name }) => name)
}

/** Makes the table of an extension as it was. */
export async function createTable(database: StagingDatabase, { table, create }: TableHead): Promise<void> {
  const [statement = ''] = create
  if (!makesTable(statement, table, database.kind)) throw notMade(table)
  await rejectUnsafeFunction(database, table, statement)
  await sql.raw(statement).execute(database.db)
  if ((await columnsOf(database, table)).length === 0) throw notMade(table)
}

/** Once its rows are there: faster than with each row. */
export async function createIndexes(database: StagingDatabase, { table, create }: TableHead): Promise<void> {
  for (const statement of create.slice(1)) {
    if (!makesIndex(statement, table, database.kind)) throw notMade(table)
    await rejectUnsafeFunction(database, table, statement)
    await sql.raw(statement).execute(database.db)
  }
}

/**
 * Rules that rows refer to rows of other tables, once all tables are there. Yields a warning for each that can't be kept:
 * the rows are worth more than the rule.
 */
export async function* addForeignKeys({ db, kind }: StagingDatabase, head: TableHead): AsyncGenerator<string> {
  const { table, foreignKeys = [] } = head
  for (const rule of foreignKeys) {
    if (!isForeignKey(rule, kind)) throw notMade(table)
    try {
      await sql`alter table ${sql.id(table)} add ${sql.raw(rule)}`.execute(db)
    } catch {
      yield `A foreign key of the table ${JSON.stringify(table)} could not be made again.`
    }
  }
}

/** Columns that the host does not know, from an extension or another version of the host, are kept with what is in them. */
export async function addColumns(database: StagingDatabase, { table, columns }: TableHead): Promise<void> {
  const known = await columnsOf(database, table)
  for (const column of columns.filter((name) => !known.includes(name))) {
    const type = database.kind === 'sqlite' ? sql`` : sql`text`
    await sql`alter table ${sql.id(table)} add column ${sql.id(column)} ${type}`.execute(database.db)
  }
}

/** The next row gets the number that it would have got on the site of the archive. */
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
  if ((await unsafeFunction(database, statement)) !== undefined) throw notMade(table)
}

function notMade(table: string): RestError {
  const message = `The archive does not say how the table ${JSON.stringify(table.slice(0, 100))} is made.`
  return new RestError('archive_corrupt', message, { status: 400, reason: 'archive_unsafe' })
}
