import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { createFakeClock } from '../../app/testing/clock.ts'
import { createTestHost, type TestHost, type TestHostOptions } from '../../app/testing/index.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

/** Writes an extension with that inside of its `setup`. */
function extension(body: string, folder = join(temporaryFolder(), 'probe')): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'index.ts'),
    `import { defineExtension } from 'pentad'
     export default defineExtension({ id: 'probe', name: 'Probe', version: '1.0.0', setup(host) {
       ${body}
     } })`,
  )
  return folder
}

const ROUTE = (method: string, access: string, handler: string) =>
  `host.rest.registerRoute('probe/v1', { method: '${method}', path: '/', access: '${access}', handler: ${handler} })`

async function failure(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((thrown: unknown) => thrown)
  return error instanceof Error ? error.message : `no error: ${error}`
}

describe('createTestHost', () => {
  let host: TestHost | undefined

  afterEach(async () => {
    await host?.close()
    host = undefined
  })

  async function start(options: TestHostOptions = {}): Promise<TestHost> {
    host = await createTestHost(options)
    return host
  }

  it('serves a site with first content and the extension active', async () => {
    const site = await start({ extensions: [extension(ROUTE('GET', 'public', `() => 'here'`))] })
    expect((await site.get('/hello-world/')).status).to.equal(200)
    expect(await (await site.get('/wp-json/probe/v1')).json()).to.equal('here')
  })

  it('frees the memory of a site that was closed', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    const site = new WeakRef((await start()).host)
    expect((await host?.get('/'))?.status).to.equal(200)
    await host?.close()
    host = undefined
    await until(() => {
      collectGarbage()
      return site.deref() === undefined
    })
  })

  it('refuses an extension that fails, with the reason', async () => {
    expect(await failure(createTestHost({ extensions: [extension(`throw new Error('no luck')`)] }))).to.contain(
      'no luck (probe/index.ts:3)',
    )
    expect(await failure(createTestHost({ extensions: [temporaryFolder()] }))).to.contain('is not an extension')
  })

  it('asks as a user of a role', async () => {
    const route = ROUTE('POST', 'edit_posts', `({ user }) => user.roles`)
    const site = await start({ extensions: [extension(route)] })
    const ask = (as?: string) => site.request('/wp-json/probe/v1', { method: 'POST', ...(as && { as }), body: {} })
    expect((await ask()).status).to.equal(401)
    expect((await ask('subscriber')).status).to.equal(403)
    expect(await (await ask('editor')).json()).to.deep.equal(['editor'])
  })

  it('keeps the mail', async () => {
    const send = `async () => { await host.mail.send({ to: 'ann@example.org', subject: 'Hi', text: 'There' }); return 1 }`
    const site = await start({ extensions: [extension(ROUTE('POST', 'public', send))] })
    expect((await site.request('/wp-json/probe/v1', { method: 'POST' })).status).to.equal(200)
    expect(site.mails).to.have.length(1)
    expect(site.mails[0]).to.include({ subject: 'Hi', text: 'There' })
  })

  it('gives up a request whose signal fires, whatever the other side is doing', async () => {
    const ask = `async () => host.fetch('https://api.example.org/', { signal: AbortSignal.timeout(1) }).catch(({ name }) => name)`
    const site = await start({ extensions: [extension(ROUTE('GET', 'public', ask))] })
    let seen: AbortSignal | undefined
    site.respond(({ signal }) => {
      seen = signal
      return new Promise(() => {})
    })
    expect(await (await site.get('/wp-json/probe/v1')).json()).to.equal('TimeoutError')
    expect(seen?.aborted, 'and the responder knows').to.equal(true)
  })

  it('catches requests to other servers, and answers them as the test says', async () => {
    const ask = `async () => (await host.fetch('https://api.example.org/x', { method: 'PUT', body: 'hey' })).text()`
    const site = await start({ extensions: [extension(ROUTE('GET', 'public', ask))] })
    expect((await site.get('/wp-json/probe/v1')).status, 'nobody answers').to.equal(500)
    expect(site.requests).to.have.length(1)
    expect(site.requests[0]).to.include({ method: 'PUT', url: 'https://api.example.org/x', body: 'hey' })
    const answer = async () => (await site.get('/wp-json/probe/v1')).json()
    site.respond(() => new Response('first'))
    const undo = site.respond(() => new Response('second'))
    expect(await answer()).to.equal('second')
    undo()
    undo()
    expect(await answer()).to.equal('first')
  })

  it('moves the clock', async () => {
    const beats = `let beats = 0; host.setInterval(() => { beats++ }, 60_000)`
    const site = await start({
      extensions: [extension(`${beats}; ${ROUTE('GET', 'public', '() => ({ beats, now: Date.now() })')}`)],
      now: '2030-01-01T00:00:00Z',
    })
    const now = Date.parse('2030-01-01T00:00:00Z')
    expect(await (await site.get('/wp-json/probe/v1')).json()).to.deep.equal({ beats: 0, now })
    await site.clock.advance(10 * 60_000)
    expect(await (await site.get('/wp-json/probe/v1')).json()).to.deep.equal({ beats: 10, now: now + 600_000 })
  })

  it('has a clock with which timers from before it can be stopped', async () => {
    let fired = 0
    const timers = [setInterval(() => fired++, 1), setTimeout(() => fired++, 20)]
    const clock = createFakeClock(new Date())
    clearInterval(timers[0])
    clearTimeout(timers[1])
    clock[Symbol.dispose]()
    const before = fired
    await wait(50)
    expect(fired).to.equal(before)
  })

  it('has run a scheduled event once the clock has passed its time and the work that is due has ended', async () => {
    const count =
      "host.jobs.schedule('probe-count', 'hourly', async () => { await host.options.modify('probe_runs', (runs) => Number(runs ?? 0) + 1) })"
    const site = await start({ extensions: [extension(count)], now: '2026-01-01T10:20:00Z' })
    for (const runs of [1, 2]) {
      await site.clock.advance(60 * 60_000)
      await site.host.jobs.runDue()
      expect(site.host.options.get('probe_runs')).to.equal(runs)
    }
  })

  it('does not wait for a scheduled event that waits for /wp-cron.php of its own site', async () => {
    const site = await start({ now: '2026-01-01T10:20:00Z' })
    const statuses: number[] = []
    site.host.jobs.schedule('cron', 'hourly', async () => {
      statuses.push((await site.get('/wp-cron.php')).status)
    })
    for (const runs of [1, 2]) {
      await site.clock.advance(60 * 60_000)
      await site.host.jobs.runDue()
      expect(statuses).to.deep.equal(Array(runs).fill(204))
    }
  })

  it('has no clock to move without a moment to start at', async () => {
    const site = await start()
    expect(() => site.clock).to.throw('Give createTestHost a `now`')
  })

  it('reloads what was saved', async () => {
    const folder = extension(ROUTE('GET', 'public', `() => 'old'`))
    const site = await start({ extensions: [folder] })
    extension(ROUTE('GET', 'public', `() => 'new'`), folder)
    await site.reload('probe')
    expect(await (await site.get('/wp-json/probe/v1')).json()).to.equal('new')
  })

  describe('expectNoLeaks', () => {
    it('is content with an extension that registers through its host, and leaves it active', async () => {
      const body = `${ROUTE('GET', 'public', `() => 'here'`)}; host.setInterval(() => {}, 1000)
        host.hooks.addFilter('the_title', (title) => title); host.auth.addRole('probe', 'Probe', [])`
      const site = await start({ extensions: [extension(body)] })
      await site.expectNoLeaks('probe')
      expect((await site.get('/wp-json/probe/v1')).status).to.equal(200)
    })

    it('names a timer and a listener that it left behind', async () => {
      // As many of others end at each activation.
      const timers = [1, 2, 3].map(() => setInterval(() => {}, 60_000))
      const servers = [1, 2, 3].map(() => createServer().listen(0, '127.0.0.1'))
      const left: { timer: NodeJS.Timeout; server: Server }[] = []
      process.on('leaked', (timer: NodeJS.Timeout, server: Server) => {
        left.push({ timer, server })
        clearInterval(timers.pop())
        servers.pop()?.close()
      })
      const body = `const server = process.getBuiltinModule('node:net').createServer().listen(0, '127.0.0.1')
        process.emit('leaked', setInterval(() => {}, 60_000), server); process.on('SIGUSR2', () => {})`
      const site = await start({ extensions: [extension(body)] })
      const message = await failure(site.expectNoLeaks('probe'))
      for (const { timer, server } of left) {
        clearInterval(timer)
        server.close()
      }
      process.removeAllListeners('leaked').removeAllListeners('SIGUSR2')
      expect([timers.length, servers.length]).to.deep.equal([0, 0])
      expect(message).to.contain('1 more Timeout').and.to.contain('1 more TCPSERVERWRAP')
      expect(message).to.contain('process listeners of SIGUSR2')
    })

    it('blames an extension for no timer of others', async () => {
      const begun: NodeJS.Timeout[] = []
      const beginning = setInterval(() => begun.push(setInterval(() => {}, 60_000)), 1)
      const site = await start({ extensions: [extension(`host.setInterval(() => {}, 1000)`)] })
      const before = begun.length
      await site.expectNoLeaks('probe')
      clearInterval(beginning)
      for (const timer of begun) clearInterval(timer)
      expect(begun.length).to.be.greaterThan(before)
    })
  })
})
