import { sql } from 'kysely'
import type { SiteDatabase } from '../../core/database/index.ts'
import type { Options } from '../../core/options/types.ts'

/**
 * Deletes what the host stores for an extension: its settings, and the record of its migrations, so that a later installation creates its
 * tables again. The tables are deleted by its `uninstall`.
 */
export async function removeData(
  id: string,
  { database, options }: { readonly database: Pick<SiteDatabase, 'db'>; readonly options: Options },
): Promise<void> {
  await options.delete(`${id}_settings`)
  const migrations = `migrations_${id.replaceAll('-', '_')}`
  for (const table of [migrations, `${migrations}_lock`]) {
    await sql`drop table if exists ${sql.table(table)}`.execute(database.db)
  }
}
