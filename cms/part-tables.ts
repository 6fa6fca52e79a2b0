import type { Migration } from 'kysely/migration'
import type { Database, DatabaseKind } from '../core/database/index.ts'

/** Tables that a part of the site creates itself, rather than from an archive. */
export interface PartTables {
  /** As in `database.migrate`. */
  readonly owner: string
  migrations(kind: DatabaseKind): Record<string, Migration>
  /** Creates the rows that archives omit from the existing ones, with one transaction per step. */
  derive(database: Pick<Database, 'kind' | 'db'>): AsyncIterable<void>
}
