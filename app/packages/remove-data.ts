import { sql } from 'kysely'
import type { SiteDatabase } from '../../core/database/index.ts'
import type { Options } from '../../core/options/types.ts'

/**
 * Deletes what the host stores for an extension: its settings, and the record of its migrations, so that a later installation creates its
 * tables again. The tables are deleted by its `uninstall`.
 *
 * @param isSandboxed - Whether all options whose names begin with its ID are its own, which only a sandbox ensures.
 */
export async function removeData(
  id: string,
  {
    database,
    options,
    isSandboxed,
  }: { readonly database: Pick<SiteDatabase, 'db'>; readonly options: Options; readonly isSandboxed: boolean },
): Promise<void> {
  const stored = isSandboxed ? options.names().filter((name) => name.startsWith(`${id}_`)) : [`${id}_settings`]
  for (const name of stored) await options.delete(name)
  const migrations = `migrations_${id.replaceAll('-', '_')}`
  for (const table of [migrations, `${migrations}_lock`]) {
    await sql`drop table if exists ${sql.table(table)}`.execute(database.db)
  }
}
