/** A PostgreSQL server of the tests' own: started at the first use, ended with the test run. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'

const DEBIAN_VERSIONS = '/usr/lib/postgresql'

let server: { url: string; stop(): void } | undefined
let starting: Promise<string> | undefined
let databases = 0

/** Folder of `initdb` and `pg_ctl`, or `undefined` where PostgreSQL is not installed. */
export const postgresBinaries: string | undefined = existsSync(DEBIAN_VERSIONS)
  ? readdirSync(DEBIAN_VERSIONS)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(DEBIAN_VERSIONS, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'initdb')))
  : undefined

/** Makes an empty database and answers its URL. */
export async function createPostgresDatabase(): Promise<string> {
  starting ??= start()
  const url = await starting
  const name = `pentad_${process.pid}_${++databases}`
  const client = new Client({ connectionString: `${url}/postgres` })
  await client.connect()
  try {
    await client.query(`create database ${name} template template0 encoding 'UTF8'`)
  } finally {
    await client.end()
  }
  return `${url}/${name}`
}

export function stopPostgres(): void {
  server?.stop()
  server = starting = undefined
}

async function start(): Promise<string> {
  if (!postgresBinaries) throw new Error('PostgreSQL is not installed (Debian: apt-get install postgresql).')
  const binaries = postgresBinaries
  const folder = mkdtempSync(join(tmpdir(), 'pentad-postgres-'))
  // The server refuses to run as root.
  const account = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  const port = await freePort()
  const run = (program: string, ...args: string[]) => {
    const result = spawnSync(join(binaries, program), args, {
      ...account,
      cwd: folder,
      stdio: 'pipe',
      encoding: 'utf8',
    })
    if (result.status !== 0) throw new Error(`${program} failed: ${result.stderr || result.stdout}`)
  }
  run('initdb', '-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-sync')
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off -c max_connections=200`
  // The log must not be our pipe: the server would keep it open.
  run('pg_ctl', '-D', data, '-o', options, '-l', join(folder, 'log'), '-w', 'start')
  server = {
    url: `postgres://postgres@127.0.0.1:${port}`,
    stop: () => {
      run('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop')
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return server.url
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}
