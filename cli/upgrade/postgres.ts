import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Client, escapeIdentifier } from 'pg'

const run = promisify(execFile)

/** Writes the tables of the site to a file, as SQL. @throws Error if `pg_dump` fails */
export async function dumpPostgres(databaseUrl: string, file: string): Promise<void> {
  const tables = await listTables(databaseUrl)
  const which = tables.map((table) => `--table=${table}`)
  await runClient('pg_dump', databaseUrl, ['--no-owner', '--no-privileges', `--file=${file}`, ...which])
}

/** Replaces the tables of the site by those of a dump, in one transaction. @throws Error if `psql` fails; nothing has changed then */
export async function restorePostgres(databaseUrl: string, file: string): Promise<void> {
  // Includes those that an upgrade added, which are not in the dump.
  const tables = await listTables(databaseUrl)
  const drop = tables.length > 0 ? [`--command=drop table ${tables.join(', ')} cascade`] : []
  const options = ['--no-psqlrc', '--quiet', '--single-transaction', '--set=ON_ERROR_STOP=1']
  await runClient('psql', databaseUrl, [...options, ...drop, `--file=${file}`])
}

/** Quoted, with the schema. */
async function listTables(connectionString: string): Promise<string[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<{ schemaname: string; tablename: string }>(
      'select schemaname, tablename from pg_tables where schemaname = current_schema() order by tablename',
    )
    return rows.map(({ schemaname, tablename }) => `${escapeIdentifier(schemaname)}.${escapeIdentifier(tablename)}`)
  } finally {
    await client.end()
  }
}

/** Runs a program of PostgreSQL's client. The password is passed in the environment, because others can see arguments. */
async function runClient(program: string, databaseUrl: string, args: readonly string[]): Promise<void> {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  const env = { ...process.env, ...(password && { PGPASSWORD: password }) }
  try {
    await run(program, [`--dbname=${url}`, ...args], { env })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    throw new Error(
      `${program} is not installed. Install the PostgreSQL client of the same version as the server (Debian: apt-get install postgresql-client), or create a backup yourself and add --no-copy.`,
      { cause: error },
    )
  }
}
