import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { sql } from 'kysely'
import { Client } from 'pg'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import { describeShortage } from '../../cms/operations/free-space.ts'
import { onEachDatabase } from '../support/databases.ts'
import { canMount, mountReadOnly, mountSmallDisk } from '../support/mounts.ts'
import { startPentad } from '../support/pentad.ts'
import { createPostgresDatabase, postgresBinaries } from '../support/postgres.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

interface Check {
  readonly name: string
  readonly state: string
  readonly reason?: string | null
}

/** The status of the response, and its checks by name. */
async function ready(site: Pick<TestHost, 'get'>, role?: string) {
  const response = await site.get('/wp-json/host/v1/ready', role === undefined ? {} : { as: role })
  const { data }: { data: { checks: Check[] } } = JSON.parse(await response.text())
  return { status: response.status, checks: data.checks, headers: response.headers }
}

/** Names of the failed checks. */
async function failed(site: TestHost): Promise<string[]> {
  const { status, checks } = await ready(site)
  const names = checks.filter(({ state }) => state === 'failed').map(({ name }) => name)
  expect(status).to.equal(names.length > 0 ? 503 : 200)
  return names
}

async function untilFailed(site: TestHost, ...names: string[]): Promise<void> {
  await until(async () => (await failed(site)).join() === names.join())
}

async function reasonOf(site: TestHost, name: string): Promise<string | null | undefined> {
  const { checks } = await ready(site, 'administrator')
  return checks.find((check) => check.name === name)?.reason
}

onEachDatabase('GET /host/v1/ready', (databaseUrl) => {
  let site: TestHost
  before(async () => {
    site = await createTestHost({ config: { databaseUrl: await databaseUrl() } })
  })
  after(() => site.close())

  it('responds 200 with the state of every check, and is never cached', async () => {
    const { status, checks, headers } = await ready(site)
    expect(status).to.equal(200)
    expect(checks).to.deep.equal(
      ['database', 'migrations', 'disk', 'extensions', 'shutdown'].map((name) => ({ name, state: 'ok' })),
    )
    expect(headers.get('cache-control')).to.contain('no-store')
  })

  it('names a migration that is missing, to administrators only', async () => {
    const { db } = site.host.database
    await sql`update migrations_content set name = '000_other' where name = '001_search'`.execute(db)
    try {
      await untilFailed(site, 'migrations')
      expect(JSON.stringify((await ready(site)).checks)).not.to.contain('001_search')
      expect(JSON.stringify((await ready(site, 'editor')).checks)).not.to.contain('001_search')
      expect(await reasonOf(site, 'migrations')).to.contain('content 001_search')
    } finally {
      await sql`update migrations_content set name = '001_search' where name = '000_other'`.execute(db)
    }
    await untilFailed(site)
  })
})

describe('GET /host/v1/ready without a database', () => {
  it('fails while the SQLite file is missing, and recovers', async () => {
    const site = await createTestHost()
    const file = join(site.host.config.siteDir, 'site.db')
    // Creates the user.
    await reasonOf(site, 'database')
    try {
      renameSync(file, `${file}.moved`)
      await untilFailed(site, 'database', 'migrations')
      writeFileSync(file, '')
      expect(await reasonOf(site, 'database')).to.contain('site.db was deleted or replaced')
      renameSync(`${file}.moved`, file)
      await untilFailed(site)
    } finally {
      await site.close()
    }
  })

  it('fails while PostgreSQL does not respond, or rejects connections, and recovers', async function () {
    if (!postgresBinaries && process.env.CI !== 'true') this.skip()
    const databaseUrl = await createPostgresDatabase()
    const database = new URL(databaseUrl).pathname.slice(1)
    const outside = new Client({ connectionString: Object.assign(new URL(databaseUrl), { pathname: 'postgres' }).href })
    const inside = new Client({ connectionString: databaseUrl })
    await Promise.all([outside.connect(), inside.connect()])
    inside.on('error', () => {})
    const site = await createTestHost({ config: { databaseUrl } })
    try {
      await inside.query('begin; lock table migrations_core in access exclusive mode')
      await untilFailed(site, 'database', 'migrations')
      await inside.query('rollback')
      await untilFailed(site)

      await outside.query(`alter database ${database} allow_connections false`)
      await outside.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
      await untilFailed(site, 'database', 'migrations')
      await outside.query(`alter database ${database} allow_connections true`)
      await untilFailed(site)
    } finally {
      await outside.end()
      await site.close()
    }
  })
})

describe('GET /host/v1/ready and the disk', () => {
  it('fails while the disk is full, and recovers', async function () {
    if (!canMount) this.skip()
    const siteDir = temporaryFolder()
    const unmount = mountSmallDisk(siteDir, 96)
    const site = await createTestHost({ config: { siteDir } })
    try {
      await untilFailed(site)
      writeFileSync(join(siteDir, 'filler'), Buffer.alloc(64 * 1024 * 1024))
      await untilFailed(site, 'disk')
      expect(await reasonOf(site, 'disk')).to.match(
        /^The disk that contains the site folder has \d+ MB left; at least 64 MB/,
      )
      rmSync(join(siteDir, 'filler'))
      await untilFailed(site)
    } finally {
      await site.close()
      unmount()
    }
  })

  it('fails while the site folder is read-only, and recovers', async function () {
    if (!canMount) this.skip()
    const site = await createTestHost()
    const unmount = mountReadOnly(site.host.config.siteDir)
    try {
      await untilFailed(site, 'disk')
      expect(await reasonOf(site, 'disk')).to.contain('The site folder is not writable: EROFS')
    } finally {
      unmount()
    }
    await untilFailed(site)
    await site.close()
  })

  it('counts free space for unprivileged users and free inodes', () => {
    const figures = { bavail: 1024 * 1024, bsize: 4096, files: 1000, ffree: 10 }
    expect(describeShortage(figures)).to.equal(null)
    expect(describeShortage({ ...figures, bavail: 256 })).to.contain('has 1 MB left')
    expect(describeShortage({ ...figures, ffree: 0 })).to.contain('no inodes')
    // btrfs reports no number of inodes.
    expect(describeShortage({ ...figures, files: 0, ffree: 0 })).to.equal(null)
  })
})

describe('GET /host/v1/ready and extensions', () => {
  it('stays ready with a paused extension, which only administrators see', async () => {
    const siteDir = temporaryFolder()
    mkdirSync(join(siteDir, 'extensions'))
    writeFileSync(join(siteDir, 'extensions', 'broken-shop.ts'), 'throw new Error("no till")')
    const host_extensions = { 'broken-shop': { state: 'active', reason: null } }
    writeFileSync(join(siteDir, 'options.json'), JSON.stringify({ host_extensions }))
    const site = await createTestHost({ config: { siteDir } })
    try {
      const { status, checks } = await ready(site)
      expect(status).to.equal(200)
      expect(checks).to.deep.include({ name: 'extensions', state: 'warning' })
      expect(await reasonOf(site, 'extensions')).to.match(/^broken-shop is paused: .*no till/)
    } finally {
      await site.close()
    }
  })
})

describe('GET /host/v1/ready during shutdown', () => {
  it('responds 503 as long as the process responds at all', async () => {
    const site = await startPentad(temporaryFolder())
    const { hostname, port, host } = new URL(site.url)
    const socket = connect(Number(port), hostname)
    // A request in progress keeps the process alive for seven seconds.
    socket.write(`GET /wp-json/host/v1/ready HTTP/1.1\r\nHost: ${host}\r\n`)
    expect((await fetch(`${site.url}/wp-json/host/v1/ready`)).status).to.equal(200)
    const ended = site.end()
    await until(() =>
      fetch(site.url).then(
        () => false,
        () => true,
      ),
    )
    socket.write('\r\n')
    const response = await text(socket)
    expect(response).to.match(/^HTTP\/1\.1 503 /)
    expect(response).to.contain('"code":"not_ready"').and.contain('{"name":"shutdown","state":"failed"}')
    expect(await ended).to.equal(0)
  })
})
