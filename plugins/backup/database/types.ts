import type { TableHead, Value } from './format.ts'

/** A database object that is not archived and must be recreated manually. */
export interface ExcludedObject {
  readonly kind: 'virtual table' | 'view' | 'trigger' | 'partitioned table' | 'foreign table'
  readonly name: string
}

/** A consistent snapshot of the database. Later writes are not part of it. */
export interface Snapshot {
  /** Heads of the tables to archive, sorted by name. */
  readonly tables: readonly TableHead[]
  /** Objects that cannot be archived. */
  readonly excluded: readonly ExcludedObject[]
  /** Rows in a stable order, starting after the first `skip` rows. */
  rows(table: string, skip: number): AsyncIterable<Value[]> | Iterable<Value[]>
  close(): void
}

export interface Snapshots {
  /** Takes the job's snapshot. The site stays writable. */
  take(): Promise<void>
  taken(): Promise<boolean>
  open(): Promise<Snapshot>
  /** Releases resources outside the work folder. Harmless if there are none. */
  drop(): Promise<void>
}
