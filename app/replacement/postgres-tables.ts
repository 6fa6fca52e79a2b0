import { Client, DatabaseError, escapeIdentifier } from 'pg'

// Imported only if PostgreSQL is used: a site on SQLite starts without its driver.

/** Lock timeout for tables in use, in milliseconds. */
const TABLE_LOCK_TIMEOUT = 20_000

/**
 * Moves the tables of the site's schema to the schema `aside`, and those of the schema `from` into their place, in one transaction.
 * Idempotent.
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

/** Drops a schema with its contents. */
export async function dropSchema(databaseUrl: string, schema: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`drop schema if exists ${escapeIdentifier(schema)} cascade`)
  } finally {
    await client.end()
  }
}

/** Whether PostgreSQL rejected the statement, so nothing was changed. After a lost connection (classes 08 and 57) that is unknown. */
export function isRejection(error: unknown): boolean {
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
