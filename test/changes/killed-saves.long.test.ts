import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { Client } from 'pg'
import { createTestHost } from '../../app/testing/index.ts'
import { joinKilledSaves } from '../../cms/changes/killed-saves.ts'
import { createChangeLog } from '../../cms/changes/log.ts'
import { createPurger } from '../../cms/changes/purger.ts'
import { changeTables } from '../../cms/changes/tables.ts'
import { createUnrecorded, type Unrecorded } from '../../cms/changes/unrecorded.ts'
import { loadConfig } from '../../core/config.ts'
import { createDatabase } from '../../core/database/index.ts'
import { createHooks } from '../../core/hooks/index.ts'
import { createLog } from '../../core/log.ts'
import { freePort } from '../support/free-port.ts'
import { pentad, type RunningSite, startPentad } from '../support/pentad.ts'
import { createPostgresDatabase } from '../support/postgres.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { startedSite } from '../support/started-site.ts'
import { until } from '../support/until.ts'

/** Kills the process in a callback, where the title names it, or as soon as a callback of the change log would have been called. */
const KILLER = `import { execFileSync } from 'node:child_process'
import { defineExtension } from 'pentad'
const kill = (title, point) => { if (title.includes(point)) execFileSync('sh', ['-c', 'kill -9 ' + process.pid]) }
export default defineExtension({
  id: 'killer', name: 'Killer', version: '1.0.0', description: 'Kills the process.',
  setup({ hooks, rest }) {
    hooks.addAction('save_post', (id, post) => kill(post.title, 'before callbacks'), -100)
    hooks.addAction('wp_after_insert_post', (id, post) => kill(post.title, 'before the purge'), -100)
    hooks.addAction('wp_after_insert_post', (id, post) => kill(post.title, 'after the purge'), 10_000)
    let last = ''
    hooks.addAction('save_post', (id, post) => { last = post.title })
    hooks.addAction('pages_purged', () => kill(last, 'after the entry'))
    rest.registerRoute('killer/v1', { method: 'GET', path: '/here', access: 'public', handler: () => process.pid })
  },
})
`
const PURGED = 'The site stopped unexpectedly after a change.'

interface Event {
  readonly scope: string
  readonly urls: readonly string[]
  readonly reason: string
}

/** A site with a REST client that may read the change log. */
async function openSite(services: boolean, databaseUrl?: string) {
  const folder = startedSite({ services, config: { adminPassword: 'correct horse battery', databaseUrl } })
  mkdirSync(join(folder, 'extensions/killer'), { recursive: true })
  writeFileSync(join(folder, 'extensions/killer/index.ts'), KILLER)
  expect(await pentad(folder, ['extension', 'activate', 'killer'])).to.include({ code: 0 })
  const { output } = await pentad(folder, ['user', 'app-password', 'admin', 'test'])
  const authorization = `Basic ${btoa(`admin:${/(?:\w{4} ){5}\w{4}/.exec(output)?.[0]}`)}`
  // The same address after each start: it is part of the key of a cached page.
  const port = String(await freePort())

  async function call(site: RunningSite, method: string, path: string, body?: object) {
    const headers = { authorization, 'Content-Type': 'application/json' }
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`${site.url}/wp-json${path}`, sent)
    return JSON.parse(await response.text())
  }
  /** Number of changes whose purge is not recorded. */
  async function unrecorded(): Promise<number> {
    const query = "select id from change_log where type = 'content'"
    if (databaseUrl === undefined) {
      const database = new DatabaseSync(join(folder, 'site.db'), { readOnly: true })
      const rows = database.prepare(query).all()
      database.close()
      return rows.length
    }
    const client = new Client({ connectionString: databaseUrl })
    await client.connect()
    const { rows } = await client.query(query)
    await client.end()
    return rows.length
  }
  return {
    folder,
    unrecorded,
    start: () => startPentad(folder, ['--port', port]),
    call,
    async events(site: RunningSite): Promise<Event[]> {
      const events: { data: Event }[] = await call(site, 'GET', '/host/v1/changes?limit=1000')
      return events.map(({ data }) => data)
    },
  }
}

describe('A process that is killed during a save', () => {
  for (const kind of ['with the page cache', 'without services', 'on PostgreSQL']) {
    describe(kind, () => {
      let open: Awaited<ReturnType<typeof openSite>>
      let site: RunningSite
      before(async () => {
        open = await openSite(
          kind === 'with the page cache',
          kind === 'on PostgreSQL' ? await createPostgresDatabase() : undefined,
        )
      })
      // The supervisor would start it in safe mode after the third time.
      beforeEach(async () => {
        site = await open.start()
      })
      afterEach(() => site.end())

      const view = async (link: string) => (await fetch(link)).text()

      for (const point of ['before callbacks', 'before the purge', 'after the purge', 'after the entry']) {
        it(`loses no purge and no event: ${point}`, async () => {
          const post: { id: number; link: string } = await open.call(site, 'POST', '/wp/v2/posts', {
            ...{ title: 'First title', content: point, status: 'publish' },
          })
          for (let times = 0; times < 3; times++) expect(await view(post.link)).to.include('First title')
          let known = 0
          await until(async () => {
            const before = known
            known = (await open.events(site)).length
            return known > 0 && known === before
          })
          const killed = await open.call(site, 'GET', '/killer/v1/here')
          await open
            .call(site, 'POST', `/wp/v2/posts/${post.id}`, { title: `Killed ${point}` })
            .then(undefined, () => undefined)
          await until(async () => {
            const pid = await open.call(site, 'GET', '/killer/v1/here').catch(() => killed)
            return typeof pid === 'number' && pid !== killed
          })
          expect(await view(post.link)).to.include(`Killed ${point}`)
          const events = (await open.events(site)).slice(known)
          const covering = events.filter(({ scope, urls }) => scope === 'pages' || urls.includes(post.link))
          expect(covering, JSON.stringify(events)).to.not.be.empty
        })
      }
    })
  }

  for (const kind of ['SQLite', 'PostgreSQL']) {
    describe(`on ${kind}`, () => {
      let open: Awaited<ReturnType<typeof openSite>>
      before(async () => {
        open = await openSite(false, kind === 'PostgreSQL' ? await createPostgresDatabase() : undefined)
      })
      const reasons = async (site: RunningSite) => (await open.events(site)).map(({ reason }) => reason)

      it('purges only the affected pages if the change was confirmed', async () => {
        const site = await open.start()
        const post = { title: 'Confirmed', status: 'publish' }
        const { id }: { id: number } = await open.call(site, 'POST', '/wp/v2/posts', post)
        await site.end('SIGKILL')
        expect(await open.unrecorded()).to.equal(0)
        const next = await open.start()
        const found = (await reasons(next)).join()
        expect(found).to.include(`Post ${id} was added.`).and.not.include(PURGED)
        await next.end()
      })

      it('leaves nothing to do after a graceful end, also of drafts and of commands', async () => {
        const site = await open.start()
        await open.call(site, 'POST', '/wp/v2/posts', { title: 'Draft' })
        expect(await open.unrecorded(), 'until something is purged').to.equal(1)
        await open.call(site, 'POST', '/wp/v2/posts', { title: 'Added', status: 'publish' })
        expect(await open.unrecorded(), 'of both').to.equal(0)
        await open.call(site, 'POST', '/wp/v2/posts', { title: 'Another draft' })
        await site.end()
        expect(await open.unrecorded()).to.equal(0)
        const added = await pentad(open.folder, ['post', 'create', '--post_title=Added', '--post_status=publish'])
        expect(added).to.include({ code: 0 })
        expect(await open.unrecorded()).to.equal(0)
        const next = await open.start()
        expect(await reasons(next)).to.not.include(PURGED)
        await next.end()
      })
    })
  }
})

describe('joinKilledSaves', () => {
  it('purges all pages for a process that has left a row for two and a half minutes, and for none that is running', async () => {
    const database = await createDatabase({ siteDir: temporaryFolder() })
    await database.migrate(changeTables.owner, changeTables.migrations(database.kind))
    const log = createLog('silent')
    const hooks = createHooks()
    const own = createUnrecorded()
    const changeLog = createChangeLog(database, { log, unrecorded: own, recorded: () => {}, now: Date.now })
    const purger = createPurger({ hooks, changeLog, log })
    const purged: string[] = []
    hooks.addFilter('purge_urls', (urls, { scope }) => {
      purged.push(scope)
      return urls
    })
    const clock = { now: 0, looks: 0 }
    const read = () => {
      clock.looks++
      return clock.now
    }
    const closers: (() => unknown)[] = []
    joinKilledSaves(
      {
        hooks,
        log,
        config: loadConfig({ siteDir: temporaryFolder() }),
        onClosed: (end) => void closers.push(() => end(0)),
      },
      { changeLog, purger, serves: true, isFirst: false, interval: 1, clock: read },
    )
    const look = async () => {
      const before = clock.looks
      await until(() => clock.looks > before + 2)
    }
    const write = (by: Unrecorded) => database.db.transaction().execute(by.note)
    await write(own)
    await write(createUnrecorded())
    // A worker that starts while others are running.
    await hooks.doActionAsync('init')
    await look()
    clock.now += 149_999
    await look()
    expect(purged).to.deep.equal([])
    clock.now += 1
    await until(() => purged.length > 0)
    await look()
    // Before the entry and after it.
    expect(purged).to.deep.equal(['pages', 'pages'])
    const entries = await changeLog.read(undefined, 10)
    expect(entries?.map(({ scope, reason }) => [scope, reason])).to.deep.equal([['pages', PURGED]])
    for (const close of closers) await close()
    await changeLog.close()
    await database.close()
  })

  it('finds a row of a changed profile picture, and none of other meta of users', async () => {
    const site = await createTestHost()
    const { content, database, hooks } = site.host
    const found: Record<string, number> = {}
    hooks.addAction(
      'added_user_meta',
      async (_id, _user, key) => {
        const rows = database.db.selectFrom('change_log').select('id').where('type', '=', 'content')
        found[key] = (await rows.execute()).length
      },
      -100,
    )
    await content.meta.set('user', 1, 'favorite_color', 'blue')
    await content.meta.set('user', 1, 'profile_picture', 7)
    expect(found).to.deep.equal({ favorite_color: 0, profile_picture: 1 })
    await site.close()
  })

  it('finds no rows of the first start, which creates content', async () => {
    const site = await createTestHost()
    const rows = await site.host.database.db
      .selectFrom('change_log')
      .select('id')
      .where('type', '=', 'content')
      .execute()
    expect(rows).to.deep.equal([])
    await site.close()
  })
})
