/** A PostgreSQL server of the tests' own: started at the first use in each of mocha's processes, ended with the test run. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { makeTables } from '../../app/testing/tables.ts'
import { freePort } from './free-port.ts'
import { temporaryFolder } from './site-folder.ts'

const DEBIAN_VERSIONS = '/usr/lib/postgresql'

/** Of the names of servers' folders. */
const PREFIX = 'pentad-postgres-'

let starting: Promise<string> | undefined
/** To make the tables takes two thirds of what a site for a test takes; a copy of them next to nothing. */
let withTables: Promise<string> | undefined
let databases = 0

/** Folder of `initdb` and `pg_ctl`, or `undefined` where PostgreSQL is not installed. */
export const postgresBinaries: string | undefined = existsSync(DEBIAN_VERSIONS)
  ? readdirSync(DEBIAN_VERSIONS)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(DEBIAN_VERSIONS, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'initdb')))
  : undefined

/** Makes a database with the tables that every site has, and nothing in them, and answers its URL. */
export async function createPostgresDatabase(): Promise<string> {
  withTables ??= createEmptyPostgresDatabase().then(async (databaseUrl) => {
    await makeTables({ siteDir: temporaryFolder(), databaseUrl }, false)
    return databaseUrl
  })
  return copyOf(new URL(await withTables).pathname.slice(1))
}

/** Makes a database without tables and answers its URL. */
export function createEmptyPostgresDatabase(): Promise<string> {
  return copyOf('template0')
}

async function copyOf(template: string): Promise<string> {
  starting ??= start()
  const url = await starting
  const name = `pentad_${process.pid}_${++databases}`
  const client = new Client({ connectionString: `${url}/postgres` })
  await client.connect()
  try {
    // Else the copy of each page is written to the log, too.
    await client.query(`create database ${name} template ${template} encoding 'UTF8' strategy file_copy`)
  } finally {
    await client.end()
  }
  return `${url}/${name}`
}

/** Ends the servers that were started in a folder for temporary files or in one just below it. */
export function stopPostgres(temporary: string): void {
  for (const folder of globSync(`{,*/}${PREFIX}*`, { cwd: temporary })) {
    // One that did not get as far as to run has nothing to end.
    runAsPostgres(join(temporary, folder), 'pg_ctl', ['-D', 'data', '-m', 'immediate', '-w', 'stop'])
  }
}

async function start(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), PREFIX))
  const { uid, gid } = accountOfPostgres()
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  const port = await freePort()
  const run = (program: string, args: readonly string[]) => {
    const { status, stdout, stderr } = runAsPostgres(folder, program, args)
    if (status !== 0) throw new Error(`${program} failed: ${stderr || stdout}`)
  }
  run('initdb', ['-D', 'data', '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-sync'])
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off -c max_connections=200`
  // The log must not be our pipe: the server would keep it open.
  run('pg_ctl', ['-D', 'data', '-o', options, '-l', 'log', '-w', 'start'])
  return `postgres://postgres@127.0.0.1:${port}`
}

function runAsPostgres(folder: string, program: string, args: readonly string[]) {
  if (!postgresBinaries) throw new Error('PostgreSQL is not installed (Debian: apt-get install postgresql).')
  const account = accountOfPostgres()
  return spawnSync(join(postgresBinaries, program), args, { ...account, cwd: folder, stdio: 'pipe', encoding: 'utf8' })
}

/** The server refuses to run as root. */
function accountOfPostgres(): { uid?: number; gid?: number } {
  return process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
}
