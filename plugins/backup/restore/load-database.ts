import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as yieldNow } from 'node:timers/promises'
import { sql } from 'kysely'
import type { StagingDatabase } from 'pentad'
import { RestError } from 'pentad'
import { ArchiveError } from '../archive/errors.ts'
import { linesIn } from '../archive/lines.ts'
import {
  decodeValue,
  isExcludedTable,
  LONGEST_ROW,
  rowSchema,
  type TableHead,
  tableHeadSchema,
  type Value,
} from '../database/format.ts'
import { addColumns, addForeignKeys, columnsOf, createIndexes, createTable, setLastId } from './load-table.ts'

/** Load order: referenced tables come first. */
const ORDER = [
  'users',
  'usermeta',
  'application_passwords',
  'posts',
  'postmeta',
  'terms',
  'termmeta',
  'term_relationships',
  'comments',
]
/** Maximum values per statement, below the limits of SQLite (32766) and PostgreSQL (65535), and maximum rows. */
const VALUES = 10_000
const ROWS = 500
/** Approximate maximum batch size, in characters. */
const BATCH = 8 * 1024 * 1024

/** Progress of loading. */
export interface LoadProgress {
  readonly bytes: number
  readonly totalBytes: number
  readonly warning?: string
}

/**
 * Loads the files of an archive into a staging database. Requests are served between steps.
 *
 * @param folder - Contains the files `<table>.ndjson` of the archive.
 * @param rewrite - Replaces the old site URL in a text.
 * @throws RestError `archive_corrupt` for an invalid file
 */
export async function* loadDatabase(
  database: StagingDatabase,
  folder: string,
  rewrite: (text: string) => string,
): AsyncGenerator<LoadProgress> {
  const files = await filesIn(folder)
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  const made: TableHead[] = []
  for (const { name, size } of files) {
    for await (const warning of loadTable(database, join(folder, name), { rewrite, made })) {
      yield { bytes: done, totalBytes, ...(warning !== undefined && { warning }) }
      await yieldNow()
    }
    done += size
    yield { bytes: done, totalBytes }
  }
  for (const head of made) {
    for await (const warning of addForeignKeys(database, head)) yield { bytes: done, totalBytes, warning }
  }
  for await (const _step of database.derive()) {
    yield { bytes: done, totalBytes }
    await yieldNow()
  }
}

async function filesIn(folder: string): Promise<{ name: string; size: number }[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ndjson'))
  const rank = (name: string) => {
    const at = ORDER.indexOf(name.slice(0, -'.ndjson'.length))
    return at === -1 ? ORDER.length : at
  }
  names.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  return Promise.all(names.map(async (name) => ({ name, size: (await stat(join(folder, name))).size })))
}

/**
 * Loads a table. Yields after each batch of rows, optionally with a warning. Adds the head to `made` if the table is
 * not created by the host.
 */
async function* loadTable(
  database: StagingDatabase,
  path: string,
  { rewrite, made }: { rewrite: (text: string) => string; made: TableHead[] },
): AsyncGenerator<string | undefined> {
  const stream = createReadStream(path)
  try {
    const lines = linesIn(withLastNewline(stream), 0, LONGEST_ROW)
    const first = await lines.next()
    const head = first.done ? undefined : tableHeadSchema.safeParse(parse(first.value.text)).data
    if (!head) throw damaged()
    // Table names are case-insensitive in SQLite.
    const table = database.kind === 'sqlite' ? head.table.toLowerCase() : head.table
    if (isExcludedTable(table)) return
    const isOurs = (await columnsOf(database, head.table)).length > 0
    // The host's own migrations must match this version of the host.
    if (isOurs && table.startsWith('migrations_')) return
    if (!isOurs && head.kind !== database.kind) {
      yield `The table ${head.table} was skipped because it comes from another type of database. Its extension creates a new one.`
      return
    }
    if (isOurs) await addColumns(database, head)
    else await createTable(database, head)
    const limit = Math.max(1, Math.min(ROWS, Math.floor(VALUES / head.columns.length)))
    let rows: Value[][] = []
    let held = 0
    for await (const { text } of lines) {
      rows.push(readRow(text, head, rewrite))
      held += text.length
      if (rows.length < limit && held < BATCH) continue
      await insert(database, head, rows)
      rows = []
      held = 0
      yield undefined
    }
    if (rows.length > 0) await insert(database, head, rows)
    if (!isOurs) {
      await createIndexes(database, head)
      made.push(head)
    }
    await setLastId(database, head)
  } catch (error) {
    throw error instanceof ArchiveError ? damaged() : error
  } finally {
    stream.destroy()
  }
}

/** Adds a missing newline at the end, which other tools may omit. */
async function* withLastNewline(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let last: number | undefined
  for await (const chunk of chunks) {
    last = chunk.at(-1)
    yield chunk
  }
  if (last !== 10) yield Buffer.from('\n')
}

function readRow(line: string, head: TableHead, rewrite: (text: string) => string): Value[] {
  const row = rowSchema.safeParse(parse(line)).data
  if (row?.length !== head.columns.length) throw damaged()
  return row.map((stored, index) => {
    const value = decodeValue(stored)
    // A guid never changes, even when the site moves (WordPress handbook, "Moving WordPress").
    return typeof value === 'string' && head.columns[index] !== 'guid' ? rewrite(value) : value
  })
}

async function insert({ db }: StagingDatabase, { table, columns }: TableHead, rows: readonly Value[][]): Promise<void> {
  const names = sql.join(columns.map((column) => sql.id(column)))
  const values = sql.join(rows.map((row) => sql`(${sql.join(row)})`))
  await sql`insert into ${sql.id(table)} (${names}) values ${values}`.execute(db)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function damaged(): RestError {
  return new RestError('archive_corrupt', 'The archive contains a table that cannot be read.', { status: 400 })
}
