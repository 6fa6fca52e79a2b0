import type { Migration } from 'kysely/migration'
import type { Database, DatabaseKind } from '../core/database/index.ts'

/** Tables that a part of the site makes itself, rather than as an archive says. */
export interface PartTables {
  /** As in `database.migrate`. */
  readonly owner: string
  migrations(kind: DatabaseKind): Record<string, Migration>
  /** Makes the rows that archives leave out of those that are there, a transaction at each step. */
  derive(database: Pick<Database, 'kind' | 'db'>): AsyncIterable<void>
}
