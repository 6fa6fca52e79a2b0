import { type DatabaseIntrospector, type Dialect, type Kysely, sql, type TableMetadata } from 'kysely'
import type { DatabaseKind } from './new-tables.ts'

const NAMES = {
  sqlite: sql<Named>`select name, null as schema, type = 'view' as "isView" from sqlite_master where type in ('table', 'view')`,
  postgres: sql<Named>`
    select c.relname as name, n.nspname as schema, c.relkind = 'v' as "isView"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'v', 'p') and n.nspname = current_schema()`,
}

interface Named {
  readonly name: string
  readonly schema: string | null
  readonly isView: boolean | number
}

/**
 * An introspector that reads only table names, on PostgreSQL of the site's schema: a restore moves tables to another one. Kysely's migrator needs only these, but its own introspector reads all columns of all tables
 * several times per owner, which took longer than creating the tables of a new site.
 */
export function withQuickTableNames(dialect: Dialect, kind: DatabaseKind): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => dialect.createDriver(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
      const whole = dialect.createIntrospector(db)
      return {
        getSchemas: () => whole.getSchemas(),
        async getTables(options): Promise<TableMetadata[]> {
          if (!options?.withInternalKyselyTables) return whole.getTables(options)
          const { rows } = await NAMES[kind].execute(db)
          return rows.map(({ name, schema, isView }) => ({
            ...{ name, isView: Boolean(isView), isForeign: false, columns: [] },
            ...(schema !== null && { schema }),
          }))
        },
      }
    },
  }
}
