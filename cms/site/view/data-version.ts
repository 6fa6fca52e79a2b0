import { sql } from 'kysely'
import type { SiteDatabase } from '../../../core/database/index.ts'

/** Reads a value that is the same as long as no transaction of another connection, or of another process, has changed the database. */
export function createDataVersion({ db, kind }: Pick<SiteDatabase, 'db' | 'kind'>): () => Promise<string> {
  const query =
    kind === 'sqlite'
      ? sql<{ data_version: number | string }>`pragma data_version`
      : sql<{ data_version: number | string }>`select pg_current_snapshot()::text as data_version`
  return async () => {
    const { rows } = await query.execute(db)
    return String(rows[0]?.data_version)
  }
}
