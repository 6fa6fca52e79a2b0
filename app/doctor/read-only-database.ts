import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Config } from '../../core/config.ts'
import { SITE_DATABASE } from '../../core/database/site-file.ts'

/** Milliseconds in which PostgreSQL must accept the connection, and respond to each query. */
const TIME_LIMIT = 5_000

type Row = Readonly<Record<string, unknown>>

/** The database of a site, opened without changing it. */
export interface ReadOnlyDatabase {
  readonly kind: 'sqlite' | 'postgres'
  query(sql: string): Promise<readonly Row[]>
  close(): Promise<void>
}

/** @throws Error if the database does not exist or cannot be opened */
export async function openReadOnly({
  siteDir,
  databaseUrl,
}: Pick<Config, 'siteDir' | 'databaseUrl'>): Promise<ReadOnlyDatabase> {
  return databaseUrl === undefined ? openSqlite(join(siteDir, SITE_DATABASE)) : openPostgres(databaseUrl)
}

function openSqlite(file: string): ReadOnlyDatabase {
  if (!existsSync(file)) throw new Error(`${file} does not exist.`)
  const url = pathToFileURL(file)
  // Without a write-ahead log no process has it open, and SQLite would create one even to read.
  if (!existsSync(`${file}-wal`)) url.searchParams.set('immutable', '1')
  const database = new DatabaseSync(url, { readOnly: true, timeout: TIME_LIMIT })
  return {
    kind: 'sqlite',
    query: async (sql) => database.prepare(sql).all(),
    close: async () => database.close(),
  }
}

async function openPostgres(connectionString: string): Promise<ReadOnlyDatabase> {
  const { Pool } = await import('pg')
  const pool = new Pool({
    ...{ connectionString, connectionTimeoutMillis: TIME_LIMIT, query_timeout: TIME_LIMIT },
    ...{ max: 1, options: '-c default_transaction_read_only=on' },
  })
  // A connection that is lost between two queries makes the next query fail; without a listener it would end the process.
  pool.on('error', () => {})
  const query: ReadOnlyDatabase['query'] = async (sql) => (await pool.query<Row>(sql)).rows
  try {
    await query('select 1')
  } catch (error) {
    await pool.end()
    throw error
  }
  return { kind: 'postgres', query, close: () => pool.end() }
}
