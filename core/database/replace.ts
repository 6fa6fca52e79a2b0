import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Client, DatabaseError, escapeIdentifier } from 'pg'

/** The SQLite database in the site folder. */
export const SITE_DATABASE = 'site.db'

/** SQLite's primary result codes for "somebody else has it" (sqlite.org/rescode.html). */
const BUSY = 5
const LOCKED = 6
/** Milliseconds that tables are waited for which somebody is reading. */
const TABLE_LOCK_TIMEOUT = 20_000

/**
 * Whether nobody has the SQLite file open, and if so, brings all of it into that one file: leaving WAL mode asks for
 * the file alone. A file that is no database is free.
 */
export function isDatabaseFree(file: string): boolean {
  if (!existsSync(file)) return true
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: 0 })
    database.exec('pragma journal_mode = delete')
    return true
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
    return code !== BUSY && code !== LOCKED
  } finally {
    database?.close()
  }
}

/**
 * Puts the tables of the site's schema into the schema `aside` and those of the schema `from` in their place, all at
 * once. Where that has happened before, it changes nothing.
 */
export async function moveTables(databaseUrl: string, { from, aside }: { from: string; aside: string }): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${TABLE_LOCK_TIMEOUT}`)
    const { rows } = await client.query<{ site: string }>('select current_schema() as site')
    const site = rows[0]?.site ?? 'public'
    const fresh = await tablesOf(client, from)
    if (fresh.length > 0) {
      await client.query(`create schema if not exists ${escapeIdentifier(aside)}`)
      for (const table of await tablesOf(client, site)) await move(client, { table, from: site, to: aside })
      for (const table of fresh) await move(client, { table, from, to: site })
    }
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** Removes a schema with all that is in it. */
export async function dropSchema(databaseUrl: string, schema: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`drop schema if exists ${escapeIdentifier(schema)} cascade`)
  } finally {
    await client.end()
  }
}

/** Whether PostgreSQL has refused, so that nothing was done. Of a lost connection (classes 08 and 57) nobody can tell. */
export function isRefusal(error: unknown): boolean {
  return error instanceof DatabaseError && !/^(?:08|57)/.test(error.code ?? '08')
}

async function tablesOf(client: Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ tablename: string }>(
    'select tablename from pg_tables where schemaname = $1 order by tablename',
    [schema],
  )
  return rows.map(({ tablename }) => tablename)
}

async function move(client: Client, { table, from, to }: { table: string; from: string; to: string }): Promise<void> {
  const name = `${escapeIdentifier(from)}.${escapeIdentifier(table)}`
  await client.query(`alter table ${name} set schema ${escapeIdentifier(to)}`)
}
