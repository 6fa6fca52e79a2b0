import type { ColumnDefinitionBuilder, CreateTableBuilder, Kysely } from 'kysely'

/** SQL dialect, for the few differences between the databases. */
export type DatabaseKind = 'sqlite' | 'postgres'

/** Starts a table with an auto-incremented id. */
export function tableWithId<Table extends string>(
  db: Kysely<unknown>,
  kind: DatabaseKind,
  name: Table,
): CreateTableBuilder<Table, 'id'> {
  return db.schema.createTable(name).addColumn('id', 'integer', (column) => numbered(column, kind))
}

/** Creates a meta table as in WordPress (keys and values for the rows of another table), unless it exists. */
export async function createMetaTable(
  db: Kysely<unknown>,
  kind: DatabaseKind,
  { name, owner, ownerTable }: { readonly name: string; readonly owner: string; readonly ownerTable: string },
): Promise<void> {
  await db.schema
    .createTable(name)
    .ifNotExists()
    .addColumn('meta_id', 'integer', (column) => numbered(column, kind))
    .addColumn(owner, 'integer', (column) => column.notNull().references(`${ownerTable}.id`).onDelete('cascade'))
    .addColumn('meta_key', 'text', (column) => column.notNull())
    .addColumn('meta_value', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex(`${name}_${owner}`).ifNotExists().on(name).columns([owner, 'meta_key']).execute()
  await db.schema.createIndex(`${name}_key`).ifNotExists().on(name).column('meta_key').execute()
}

function numbered(column: ColumnDefinitionBuilder, kind: DatabaseKind): ColumnDefinitionBuilder {
  return kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity()
}
