import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { writeAtomically } from 'pentad'
import { pathExists } from '../missing-files.ts'
import { isExcludedTable, type TableHead, type Value } from './format.ts'
import type { Snapshot, Snapshots } from './types.ts'

/**
 * Copies all pages in one step, in a separate thread: an incremental online backup restarts on each write to the
 * database.
 */
const ALL_PAGES = 2 ** 31 - 1

/** Snapshots by SQLite's online backup (https://www.sqlite.org/backup.html) into a file in the work folder. */
export function createSqliteSnapshots({ siteDir, folder }: { siteDir: string; folder: string }): Snapshots {
  const path = join(folder, 'snapshot.db')

  async function copy(part: string): Promise<void> {
    const site = new DatabaseSync(join(siteDir, 'site.db'), { readOnly: true })
    try {
      await backup(site, part, { rate: ALL_PAGES })
    } finally {
      site.close()
    }
    // The copy is in WAL mode, which only its sole connection can switch off: several processes may read it later.
    const copied = new DatabaseSync(part)
    try {
      copied.exec('pragma journal_mode = delete')
    } finally {
      copied.close()
    }
  }

  return {
    take: () => writeAtomically(path, copy, { flush: true }),
    taken: () => pathExists(path),
    open: async () => openSnapshot(path),
    // The file is removed with the work folder.
    drop: async () => {},
  }
}

function openSnapshot(path: string): Snapshot {
  const database = new DatabaseSync(path, { readOnly: true })
  const all = database.prepare("select name, type from pragma_table_list where schema = 'main' order by name").all()
  const tables = all.filter(({ type, name }) => type === 'table' && !isExcludedTable(String(name)))
  const virtual = all.filter(({ type, name }) => type === 'virtual' && !isExcludedTable(String(name)))
  const rest = database
    .prepare(
      "select type, name, tbl_name from sqlite_master where type in ('view', 'trigger') order by type desc, name",
    )
    .all()
    .filter(({ tbl_name }) => !isExcludedTable(String(tbl_name)))
  const heads = tables.map(({ name }) => headOf(database, String(name)))
  const byName = new Map(heads.map((head) => [head.table, head]))

  return {
    tables: heads,
    excluded: [
      ...virtual.map(({ name }) => ({ kind: 'virtual table' as const, name: String(name) })),
      ...rest.map(({ type, name }) => ({
        kind: type === 'view' ? ('view' as const) : ('trigger' as const),
        name: String(name),
      })),
    ],
    *rows(table, skip) {
      const columns = byName.get(table)?.columns.map(quoted).join(', ')
      // The file does not change, so each scan returns rows in the same order.
      const statement = database.prepare(`select ${columns} from ${quoted(table)} limit -1 offset ?`)
      statement.setReadBigInts(true)
      statement.setReturnArrays(true)
      for (const row of statement.iterate(skip)) if (Array.isArray(row)) yield row.map(toValue)
    },
    close: () => database.close(),
  }
}

function headOf(database: DatabaseSync, table: string): TableHead {
  const columns = database.prepare('select name from pragma_table_xinfo(?) where hidden = 0 order by cid').all(table)
  const create = database
    .prepare(
      "select sql from sqlite_master where tbl_name = ? and type in ('table', 'index') and sql is not null order by type desc, name",
    )
    .all(table)
  const counts = database.prepare("select 1 from sqlite_master where name = 'sqlite_sequence'").get()
  const last = counts && database.prepare('select seq from sqlite_sequence where name = ?').get(table)
  return {
    table,
    kind: 'sqlite',
    columns: columns.map(({ name }) => String(name)),
    create: create.map(({ sql }) => String(sql)),
    ...(last && { lastId: Number(last.seq) }),
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function toValue(value: unknown): Value {
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'string') return value
  return value instanceof Uint8Array ? value : null
}
