import { DatabaseSync } from 'node:sqlite'
import type { StoredEntry, StoredMember } from './format.ts'
import { foldedName } from './names.ts'

/**
 * The entries and members of one archive in a SQLite database in the work folder, so that a list of a million names can
 * be searched, compared and paged without loading it into memory.
 */
export const CATALOG_TABLES = `
  CREATE TABLE member (id INTEGER PRIMARY KEY, unit INTEGER NOT NULL, at INTEGER NOT NULL, bytes INTEGER NOT NULL,
    tarBytes INTEGER NOT NULL, sha256 TEXT NOT NULL);
  CREATE INDEX member_unit ON member (unit);
  CREATE TABLE entry (id INTEGER PRIMARY KEY, unit INTEGER NOT NULL, name TEXT NOT NULL UNIQUE, type TEXT NOT NULL,
    size INTEGER NOT NULL, mode INTEGER NOT NULL, mtimeMs REAL NOT NULL, sha256 TEXT, linkTarget TEXT, offset INTEGER NOT NULL);
  CREATE INDEX entry_unit ON entry (unit);
  CREATE TABLE sum (name TEXT NOT NULL UNIQUE, sha256 TEXT NOT NULL);
`

/** An archive's catalog, opened for reading. */
export interface Catalog {
  /** Entries in archive order, after the one with this id. */
  page(after: number, size: number): { readonly id: number; readonly entry: StoredEntry }[]
  /** The entries of a unit, in order. */
  entriesOf(unit: number): StoredEntry[]
  membersOf(unit: number): StoredMember[]
  /** Units that hold one of these names or anything below them. Without names: all units. */
  units(include: readonly string[] | undefined): number[]
  /**
   * A name that collides with another one, or passes through a link, on a file system that ignores case and Unicode
   * normalization.
   */
  collision(): string | undefined
  close(): void
}

type Row = Record<string, unknown>

export function openCatalog(path: string): Catalog {
  const database = new DatabaseSync(path, { readOnly: true })
  const page = database.prepare('SELECT * FROM entry WHERE id > ? ORDER BY id LIMIT ?')
  const entries = database.prepare('SELECT * FROM entry WHERE unit = ? ORDER BY id')
  const members = database.prepare('SELECT * FROM member WHERE unit = ? ORDER BY id')
  const allUnits = database.prepare('SELECT DISTINCT unit FROM entry ORDER BY unit')
  // "0" follows "/" in ASCII, so this range covers everything below the name.
  const unitsBelow = database.prepare(
    "SELECT DISTINCT unit FROM entry WHERE name = ?1 OR (name > ?1 || '/' AND name < ?1 || '0')",
  )
  return {
    page: (after, size) => page.all(after, size).map((row) => ({ id: Number(row.id), entry: entryOf(row) })),
    entriesOf: (unit) => entries.all(unit).map(entryOf),
    membersOf: (unit) => members.all(unit).map(memberOf),
    units(include) {
      const rows = include ? include.flatMap((name) => unitsBelow.all(name)) : allUnits.all()
      return [...new Set(rows.map((row) => Number(row.unit)))].sort((one, other) => one - other)
    },
    collision() {
      database.function('folded', (name) => foldedName(String(name)))
      database.exec('CREATE TEMP TABLE IF NOT EXISTS folded AS SELECT folded(name) AS fold, name, type FROM entry')
      database.exec('CREATE INDEX IF NOT EXISTS temp.by_fold ON folded (fold)')
      const found = database
        .prepare(`SELECT other.name FROM folded AS one JOIN folded AS other ON one.name <> other.name AND (other.fold = one.fold
          OR one.type <> 'directory' AND other.fold > one.fold || '/' AND other.fold < one.fold || '0') LIMIT 1`)
        .get()
      return found && String(found.name)
    },
    close: () => database.close(),
  }
}

function entryOf(row: Row): StoredEntry {
  const type = row.type
  if (type !== 'file' && type !== 'directory' && type !== 'symlink')
    throw new Error('The catalog contains an unknown entry type.')
  return {
    name: String(row.name),
    type,
    size: Number(row.size),
    mode: Number(row.mode),
    mtimeMs: Number(row.mtimeMs),
    ...(typeof row.sha256 === 'string' && { sha256: row.sha256 }),
    ...(typeof row.linkTarget === 'string' && { linkTarget: row.linkTarget }),
    offset: Number(row.offset),
  }
}

function memberOf(row: Row): StoredMember {
  return {
    at: Number(row.at),
    bytes: Number(row.bytes),
    tarBytes: Number(row.tarBytes),
    sha256: String(row.sha256),
    continues: false,
  }
}
