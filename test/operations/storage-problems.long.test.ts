import { closeSync, openSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { sql } from 'kysely'
import { Client } from 'pg'
import { createSite } from '../../app/create-site.ts'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import { canMount, mountReadOnly, mountSmallDisk } from '../support/mounts.ts'
import { createPostgresDatabase, postgresBinaries } from '../support/postgres.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

const EXTENSION = `export default {
  id: 'notes', name: 'Notes', version: '1.0.0',
  setup({ rest, content }) {
    rest.registerRoute('notes/v1', {
      method: 'POST', path: '/notes', access: 'manage_options',
      handler: () => content.posts.insert({ title: 'Note', content: 'n'.repeat(100_000), status: 'publish' }),
    })
  },
}`

interface Answer {
  readonly status: number
  readonly code: string | undefined
  readonly message: string | undefined
}

describe('Problems of the disk and the database', () => {
  let site: TestHost

  const call = async (method: string, path: string, body?: object): Promise<Answer> => {
    const response = await site.request(`/wp-json/${path}`, { method, body, as: 'administrator' })
    const { code, message }: { code?: string; message?: string } = JSON.parse(await response.text())
    return { status: response.status, code, message }
  }
  const save = (title = 'Saved') =>
    call('POST', 'wp/v2/posts', { title, content: 'y'.repeat(100_000), status: 'publish' })
  const titles = async () => {
    const response = await site.get('/wp-json/wp/v2/posts?_fields=title')
    return JSON.parse(await response.text()).map(({ title }: { title: { rendered: string } }) => title.rendered)
  }

  it('a full disk: 507, nothing is lost, extensions are not paused, and the site recovers', async function () {
    if (!canMount) this.skip()
    const siteDir = temporaryFolder()
    const unmount = mountSmallDisk(siteDir, 24)
    const extension = join(temporaryFolder(), 'notes.ts')
    writeFileSync(extension, EXTENSION)
    site = await createTestHost({ config: { siteDir }, extensions: [extension] })
    try {
      await save()
      fill(join(siteDir, 'filler'))
      expect(await save('Lost')).to.deep.equal({
        status: 507,
        code: 'disk_full',
        message: 'The server’s disk is full, so nothing was saved. Free up space, then try again.',
      })
      expect((await call('POST', 'wp/v2/settings', { description: 'Lost' })).code).to.equal('disk_full')
      // Ten errors of its own would pause it.
      for (let time = 0; time < 10; time++) expect((await call('POST', 'notes/v1/notes')).code).to.equal('disk_full')
      expect(await titles()).to.deep.equal(['Saved', 'Hello world!'])
      rmSync(join(siteDir, 'filler'))
      expect((await save('Again')).status).to.equal(201)
      expect((await call('POST', 'notes/v1/notes')).status).to.equal(200)
      expect(await titles()).to.include.members(['Again', 'Note', 'Saved'])
    } finally {
      await site.close()
      unmount()
    }
  })

  it('a read-only folder or database: 503, and nothing is saved', async function () {
    if (!canMount) this.skip()
    site = await createTestHost()
    await call('GET', 'wp/v2/users/me')
    const unmount = mountReadOnly(site.host.config.siteDir)
    try {
      const { status, code, message } = await call('POST', 'wp/v2/settings', { description: 'Lost' })
      expect({ status, code }).to.deep.equal({ status: 503, code: 'storage_not_writable' })
      expect(message).to.contain('nothing was saved. Make them writable')
    } finally {
      unmount()
    }
    expect((await call('POST', 'wp/v2/settings', { description: 'Saved' })).status).to.equal(200)
    // Its files were opened before the mount, so SQLite itself is told to write nothing.
    await site.host.database.db.transaction().execute((handle) => sql`pragma query_only = on`.execute(handle))
    expect(await save('Lost')).to.deep.include({ status: 503, code: 'storage_not_writable' })
    expect(await titles()).to.deep.equal(['Hello world!'])
    await site.close()
  })

  it('a replaced site.db is logged once, with what to do, rather than for each change', async () => {
    const siteDir = temporaryFolder()
    const lines: string[] = []
    const logTo = { write: (line: string) => void lines.push(line) }
    const open = await createSite({ siteDir, port: 0 }, { runServices: false, logTo })
    try {
      renameSync(join(siteDir, 'site.db'), join(siteDir, 'site.db.moved'))
      const write = () => open.database.db.updateTable('users').set({ url: 'https://example.org' }).execute()
      for (let time = 0; time < 5; time++) {
        const error = await write().then(
          () => undefined,
          (reason: unknown) => reason,
        )
        expect(error).to.have.property('code', 'DATABASE_MOVED')
        open.log.error({ err: error }, 'request failed')
      }
      expect(lines.filter((line) => line.includes('put the database file back'))).to.have.length(1)
      expect(lines.filter((line) => line.includes('request failed'))).to.have.length(0)
    } finally {
      renameSync(join(siteDir, 'site.db.moved'), join(siteDir, 'site.db'))
      await open.close()
    }
  })

  for (const name of ['site.db', 'site.db-wal']) {
    it(`a deleted ${name}: 503 for changes, pages are still served, and the site recovers if the file is put back`, async () => {
      site = await createTestHost()
      const file = join(site.host.config.siteDir, name)
      try {
        expect((await save()).status).to.equal(201)
        renameSync(file, `${file}.moved`)
        for (let time = 0; time < 2; time++) {
          const { message, ...answer } = await save('Lost')
          expect(answer).to.deep.equal({ status: 503, code: 'database_moved' })
          expect(message).to.contain('so nothing was saved').and.contain('restart the site')
        }
        expect(await titles()).to.deep.equal(['Saved', 'Hello world!'])
        expect((await site.get('/saved/')).status).to.equal(200)
        writeFileSync(file, '')
        expect((await save('Lost')).code).to.equal('database_moved')
        renameSync(`${file}.moved`, file)
        expect((await save('Again')).status).to.equal(201)
      } finally {
        await site.close()
      }
    })
  }

  it('a damaged database: 500 with what to do, and the process goes on', async () => {
    const siteDir = temporaryFolder()
    const first = await createSite({ siteDir, port: 0, logLevel: 'silent' }, { runServices: false })
    await first.close()
    const file = join(siteDir, 'site.db')
    const intact = readFileSync(file)
    const lines: string[] = []
    const logTo = { write: (line: string) => void lines.push(line) }
    const open = () => createSite({ siteDir, port: 0 }, { runServices: false, logTo })
    const damaged = await open()
    try {
      await damaged.listen()
      const read = async (path: string) => {
        const response = await fetch(`${damaged.config.url}${path}`)
        return { status: response.status, text: await response.text() }
      }
      truncateSync(file, 8192)
      // Nothing of this table is in SQLite's cache.
      const { status, text } = await read('/wp-json/wp/v2/comments')
      expect(status, text).to.equal(500)
      expect(text).to.contain('"code":"database_damaged"').and.contain('Restore the site from a backup.')
      expect((await read('/wp-json/host/v1/health')).status).to.equal(200)
    } finally {
      await damaged.close()
    }

    rmSync(file)
    const empty = await open()
    await empty.close()
    expect(lines.filter((line) => line.includes('database was empty'))).to.have.length(1)
    writeFileSync(file, intact)
    const restored = await open()
    await restored.close()
    expect(lines.filter((line) => line.includes('database was empty'))).to.have.length(1)
  })

  it('a PostgreSQL server that is read-only, or gone: 503, and the site recovers', async function () {
    if (!postgresBinaries && process.env.CI !== 'true') this.skip()
    const databaseUrl = await createPostgresDatabase()
    const database = new URL(databaseUrl).pathname.slice(1)
    const outside = new Client({ connectionString: Object.assign(new URL(databaseUrl), { pathname: 'postgres' }).href })
    await outside.connect()
    const set = async (change: string) => {
      await outside.query(`alter database ${database} ${change}`)
      await outside.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
    }
    site = await createTestHost({ config: { databaseUrl } })
    try {
      await save()
      await set('set default_transaction_read_only = on')
      await until(async () => (await save('Lost')).code === 'storage_not_writable')
      await set('reset default_transaction_read_only')
      await until(async () => (await save('Again')).status === 201)

      await set('allow_connections false')
      await until(async () => {
        const response = await site.get('/wp-json/wp/v2/posts')
        const { code }: { code?: string } = JSON.parse(await response.text())
        return [response.status, response.headers.get('retry-after'), code].join() === '503,5,database_unavailable'
      })
      const page = await site.get('/')
      expect(page.status).to.equal(503)
      expect(await page.text()).to.contain('The database is not available.')
      await set('allow_connections true')
      await until(async () => (await site.get('/')).status === 200)
      expect(await titles())
        .to.include.members(['Saved', 'Again'])
        .and.not.include('Lost')
    } finally {
      await outside.end()
      await site.close()
    }
  })
})

/** Writes until the disk is full. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w')
  try {
    for (;;) writeSync(descriptor, Buffer.alloc(4096))
  } catch {
    closeSync(descriptor)
  }
}
