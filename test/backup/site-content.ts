/** Reads a site that no process has open: all that backups hold and restores replace. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client, escapeIdentifier } from 'pg'
import { isExcludedTable } from '../../plugins/backup/database/format.ts'
import { describeTree } from './archive-files.ts'

export interface SitePlace {
  readonly dir: string
  /** PostgreSQL; default: `site.db` in the folder. */
  readonly databaseUrl?: string | undefined
}

/** What is no part of the site: it stays on the machine, or can be made again. */
const NOT_THE_SITE =
  /^(?:backups|tmp|cache|mail|logs|secret\.key|config\.json|replacement\.json|options\.import|site\.db(?:-.*)?|.*\.(?:tmp|lock|part))$/

const OPTIONS = 'options.json'
/** Tables of the moment, and those that say when the host made its tables: a restored site has made them itself. */
const isOfTheMachine = (table: string) => isExcludedTable(table) || /^migrations_/.test(table)

/** Every row of every table and every file, as lines that can be compared. */
export async function contentOf(site: SitePlace): Promise<string[]> {
  const tree = await describeTree(site.dir, '', (name) => !NOT_THE_SITE.test(name) && name !== OPTIONS)
  // A restore may write them anew, with the same values.
  const options: object = JSON.parse(await readFile(join(site.dir, OPTIONS), 'utf8'))
  // In PostgreSQL, the records of options have no order.
  const records = Object.entries(options).sort(([one], [other]) => (one < other ? -1 : 1))
  return [...(await describeTables(site)), ...tree, JSON.stringify(records)]
}

/** What one content has and the other has not; nothing if they are the same. */
export function differences(one: readonly string[], other: readonly string[]): string[] {
  const [inOne, inOther] = [new Set(one), new Set(other)]
  return [...one.filter((line) => !inOther.has(line)), ...other.filter((line) => !inOne.has(line))]
}

/** Each table with the number and the sum of its rows, in no order. */
async function describeTables(site: SitePlace): Promise<string[]> {
  const tables = site.databaseUrl === undefined ? sqliteRows(site.dir) : await postgresRows(site.databaseUrl)
  return Object.entries(tables)
    .filter(([table]) => !isOfTheMachine(table))
    .map(
      ([table, rows]) => `${table} ${rows.length} ${createHash('sha256').update(rows.sort().join('\n')).digest('hex')}`,
    )
    .sort()
}

function sqliteRows(dir: string): Record<string, string[]> {
  const database = new DatabaseSync(join(dir, 'site.db'), { readOnly: true })
  try {
    const tables = database.prepare("select name from pragma_table_list where schema = 'main' and type = 'table'").all()
    const rowsOf = (table: string) => {
      const statement = database.prepare(`select * from "${table}"`)
      statement.setReadBigInts(true)
      return statement
        .all()
        .map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)))
    }
    return Object.fromEntries(tables.map(({ name }) => [String(name), rowsOf(String(name))]))
  } finally {
    database.close()
  }
}

async function postgresRows(databaseUrl: string): Promise<Record<string, string[]>> {
  return withPostgres(databaseUrl, async (client) => {
    const { rows: tables } = await client.query("select tablename from pg_tables where schemaname = 'public'")
    const found: Record<string, string[]> = {}
    for (const { tablename } of tables) {
      const { rows } = await client.query(`select t::text as row from ${escapeIdentifier(tablename)} as t`)
      found[tablename] = rows.map(({ row }) => String(row))
    }
    return found
  })
}

/** Changes a site behind its back. */
export async function runSql({ dir, databaseUrl }: SitePlace, statements: string): Promise<void> {
  if (databaseUrl !== undefined) {
    await withPostgres(databaseUrl, (client) => client.query(statements))
    return
  }
  if (!existsSync(join(dir, 'site.db'))) throw new Error('The site has no database.')
  const database = new DatabaseSync(join(dir, 'site.db'))
  try {
    database.exec(statements)
  } finally {
    database.close()
  }
}

export async function withPostgres<Result>(
  databaseUrl: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
