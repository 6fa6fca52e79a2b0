import type { TableHead, Value } from './format.ts'

/** Something of the database that is in no archive, though nothing else makes it again by itself. */
export interface ExcludedObject {
  readonly kind: 'virtual table' | 'view' | 'trigger' | 'partitioned table' | 'foreign table'
  readonly name: string
}

/** A frozen state of the database: what is written to the site meanwhile is not in it. */
export interface Snapshot {
  /** Heads of the tables that go into an archive, by name. */
  readonly tables: readonly TableHead[]
  /** What cannot be kept. */
  readonly excluded: readonly ExcludedObject[]
  /** Rows in an order that is the same at every reading, from the one after the first `skip`. */
  rows(table: string, skip: number): AsyncIterable<Value[]> | Iterable<Value[]>
  close(): void
}

export interface Snapshots {
  /** Freezes the database for a job, once; the site is written to meanwhile. */
  take(): Promise<void>
  taken(): Promise<boolean>
  open(): Promise<Snapshot>
  /** Frees what was kept outside of the work folder. Harmless if nothing is. */
  drop(): Promise<void>
}
