import type { Database } from 'pentad'
import { createPostgresSnapshots } from './postgres-snapshot.ts'
import { createSqliteSnapshots } from './sqlite-snapshot.ts'
import type { Snapshots } from './types.ts'

/** The snapshots of one job. @param folder - The job's work folder. */
export function createSnapshots(parts: {
  database: Pick<Database, 'kind' | 'db'>
  siteDir: string
  folder: string
  jobId: string
}): Snapshots {
  return parts.database.kind === 'sqlite' ? createSqliteSnapshots(parts) : createPostgresSnapshots(parts)
}
