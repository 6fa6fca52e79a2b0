import { createHook } from 'node:async_hooks'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { commandLine } from '../support/command-line.ts'
import { freePort } from '../support/free-port.ts'
import { type RunningSite, startPentad } from '../support/pentad.ts'
import { startedSite } from '../support/started-site.ts'
import { until } from '../support/until.ts'
import { cacheStateOf, isStored, siteWith, startCachedSite } from './cached-site.ts'
import { OPTIMIZER_OFF } from './optimizer-off.ts'

const PATH = '/hello-world/'

interface Visit {
  readonly status: number
  readonly cache: string | undefined
  readonly etag: string
  readonly text: string
}

/** A GET through that agent, whose connections stay open; without one, on a new connection that is closed afterwards. */
async function visit(url: string, agent?: Agent, etag?: string): Promise<Visit> {
  const headers = etag === undefined ? {} : { 'if-none-match': etag }
  const { promise, resolve, reject } = Promise.withResolvers<Visit>()
  request(url, { agent: agent ?? false, headers }, async (response) => {
    const { statusCode: status = 0, headers } = response
    const body = await text(response)
    resolve({ status, cache: String(headers['x-cache']), etag: String(headers.etag), text: body })
  })
    .once('error', reject)
    .end()
  return promise
}

for (const workers of [1, 2]) {
  describe(`What another process has changed, on a site with ${workers === 1 ? 'one worker' : 'two workers'}`, () => {
    const command = commandLine()
    let siteDir: string
    let port: number
    let site: RunningSite
    let headers: Record<string, string>
    let open: Agent[]

    before(async () => {
      port = await freePort()
      siteDir = startedSite({ services: true, config: { port } })
      // Otherwise, purged pages could be rendered before they are requested.
      await command(siteDir, ['option', 'update', 'speed_settings', '{"preload":"off"}', '--format=json'])
      const created = await command(siteDir, ['user', 'app-password', 'admin', 'test'])
      const password = /(?:\w{4} ){5}\w{4}/.exec(created.output)?.[0] ?? ''
      headers = { authorization: `Basic ${btoa(`admin:${password}`)}`, 'content-type': 'application/json' }
      await start()
    })
    after(async () => {
      closeConnections()
      await site.end()
    })

    async function start(): Promise<void> {
      site = await startPentad(siteDir, ['--port', String(port), '--workers', String(workers)])
      await until(() => site.processIds().length === workers, { seconds: 60 })
      // Each worker accepts some of them.
      open = Array.from({ length: workers * 2 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    }
    function closeConnections(): void {
      for (const agent of open) agent.destroy()
    }

    /** On open connections and new ones. */
    const visitAll = (etag?: string) =>
      Promise.all([...open, undefined, undefined].map((agent) => visit(site.url + PATH, agent, etag)))
    /** All workers have the page in memory. */
    const fill = () => until(async () => (await visitAll()).every(({ cache }) => cache === 'HIT'), { seconds: 60 })
    async function run(...args: string[]): Promise<void> {
      const { code, errors } = await command(siteDir, args)
      expect(code, errors).to.equal(0)
    }
    /** The first responses after the change have the word, also for clients that have the former page. */
    async function expectFirst(word: string, change: () => Promise<unknown>): Promise<void> {
      const before = await visit(site.url + PATH)
      expect(before.text).to.not.include(word)
      await change()
      for (const { status, text } of await visitAll(before.etag)) {
        expect(status).to.equal(200)
        expect(text).to.include(word)
      }
    }

    it('by a command is on the page as soon as the command has ended', async () => {
      for (let round = 1; round <= 5; round++) {
        await fill()
        const title = `Title of round ${round}`
        await expectFirst(title, () => run('post', 'update', '1', `--post_title=${title}`))
      }
      await fill()
      await expectFirst('The new name', () => run('option', 'update', 'blogname', 'The new name'))
    })

    it('with `pentad cache purge` is rendered again', async () => {
      for (const [at, args] of [['--all'], [PATH], ['--tag', 'post-1'], ['--scope', 'everything']].entries()) {
        await fill()
        await run('cache', 'purge', ...args)
        // Of each worker in turn; the next one may have the new page from disk.
        const { cache } = await visit(site.url + PATH, open[at % open.length])
        expect([args, cache]).to.deep.equal([args, 'MISS'])
      }
    })

    it('in the settings of the page cache, for which no page is purged, is in effect', async () => {
      await fill()
      await run('option', 'update', 'speed_settings', '{"pageCache":"off"}', '--format=json')
      for (const { cache } of await visitAll()) expect(cache).to.equal('BYPASS')
      await run('option', 'update', 'speed_settings', '{"pageCache":"on"}', '--format=json')
      for (const { cache } of await visitAll()) expect(cache).to.not.equal('BYPASS')
    })

    if (workers === 1) {
      it('by a command is on a page that was only on disk', async () => {
        await until(async () => (await visit(site.url + PATH)).cache === 'HIT' && isStored(siteDir, PATH), {
          seconds: 60,
        })
        const before = await visit(site.url + PATH)
        closeConnections()
        await site.end()
        await start()
        await run('post', 'update', '1', '--post_title=Not from disk')
        for (const { status, text } of await visitAll(before.etag)) {
          expect(status).to.equal(200)
          expect(text).to.include('Not from disk')
        }
      })
    } else {
      it('over REST is on the page that any worker sends afterwards', async () => {
        for (let round = 1; round <= 10; round++) {
          await fill()
          const body = JSON.stringify({ title: `Saved in round ${round}` })
          await expectFirst(`Saved in round ${round}`, async () => {
            const saved = await fetch(`${site.url}/wp-json/wp/v2/posts/1`, { method: 'POST', headers, body })
            expect(saved.status).to.equal(200)
          })
        }
      })
    }
  })
}

describe('A connection on which pages are requested again and again', () => {
  it('stays with the fast lane after another process has written to the database', async () => {
    const siteDir = siteWith({ preload: 'off', ...OPTIMIZER_OFF, vitalsSampleRate: 0 })
    const site = await startCachedSite({ config: { siteDir } })
    const database = new DatabaseSync(join(siteDir, 'site.db'), { timeout: 10_000 })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    /** Connections of the site that `node:http` has got a parser for. */
    let parsers = 0
    const watch = createHook({
      init(_id, type, _trigger, resource) {
        if (type === 'HTTPINCOMINGMESSAGE' && 'socket' in resource) parsers++
      },
    })
    try {
      await until(async () => (await cacheStateOf(site, PATH)) === 'HIT')
      await visit(site.url + PATH, agent)
      watch.enable()
      for (let round = 0; round < 20; round++) {
        database.exec('update content_versions set version = version + 1')
        expect((await visit(site.url + PATH, agent)).cache).to.equal('HIT')
      }
      expect(parsers).to.equal(0)
    } finally {
      watch.disable()
      agent.destroy()
      database.close()
      await site.close()
    }
  })
})

describe('A site whose settings cannot be read', () => {
  it('serves no cached pages after another process has written to the database, until they can', async () => {
    const siteDir = siteWith({ preload: 'off', ...OPTIMIZER_OFF, vitalsSampleRate: 0 })
    const site = await startCachedSite({ config: { siteDir } })
    const database = new DatabaseSync(join(siteDir, 'site.db'), { timeout: 10_000 })
    const writeElsewhere = () => database.exec('update content_versions set version = version + 1')
    const options = join(siteDir, 'options.json')
    const isStateOf = async (state: string) => (await cacheStateOf(site, PATH)) === state
    try {
      await until(() => isStateOf('HIT'))
      // A change that purges nothing.
      writeElsewhere()
      expect(await isStateOf('HIT')).to.equal(true)
      const settings = readFileSync(options, 'utf8')
      writeFileSync(options, '{')
      writeElsewhere()
      for (let count = 0; count < 3; count++) expect(await isStateOf('BYPASS')).to.equal(true)
      writeFileSync(options, settings)
      await until(() => isStateOf('HIT'))
    } finally {
      database.close()
      await site.close()
    }
  })
})
