import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { freePort } from '../support/free-port.ts'
import { pentad, type RunningSite, startPentad } from '../support/pentad.ts'
import { createPostgresDatabase } from '../support/postgres.ts'
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
const PURGED = 'The site ended unexpectedly after a change.'

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
  return {
    folder,
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

  it('purges nothing if it was not killed', async () => {
    const open = await openSite(false)
    const first = await open.start()
    const added = await pentad(open.folder, ['post', 'create', '--post_title=Added', '--post_status=publish'])
    expect(added).to.include({ code: 0 })
    await open.call(first, 'POST', '/wp/v2/posts', { title: 'Added too', status: 'publish' })
    await first.end()
    const second = await open.start()
    expect((await open.events(second)).map(({ reason }) => reason)).to.not.include(PURGED)
    await second.end()
  })

  it('is noticed by another process, which has purged nothing while it was running', async () => {
    const open = await openSite(false)
    const first = await open.start()
    await open.call(first, 'POST', '/wp/v2/posts', { title: 'Added', status: 'publish' })
    const second = await startPentad(open.folder)
    expect((await open.events(second)).map(({ reason }) => reason)).to.not.include(PURGED)
    await first.end('SIGKILL')
    await until(async () => (await open.events(second)).some(({ reason }) => reason === PURGED), { seconds: 60 })
    await second.end()
  })
})
