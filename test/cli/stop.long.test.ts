import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { isCode } from '../../core/errors.ts'
import { pentad, startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { startedSite } from '../support/started-site.ts'
import { until } from '../support/until.ts'

describe('pentad start, stopped during requests', () => {
  it('answers every request whose connection it accepted, then exits 0', async () => {
    const site = await startPentad(temporaryFolder())
    let answered = 0
    let refused = 0
    const failures: string[] = []
    /** On a connection of its own each time. */
    const ask = () =>
      new Promise<void>((resolve) => {
        get(`${site.url}/wp-json/`, { agent: false }, (answer) => {
          answer.resume()
          answer.once('end', () => {
            answered++
            resolve()
          })
        }).once('error', (error) => {
          if (isCode(error, 'ECONNREFUSED')) refused++
          else failures.push(error.message)
          resolve()
        })
      })
    const clients = Array.from({ length: 20 }, async () => {
      while (refused === 0) await ask()
    })
    while (answered < 50) await new Promise(setImmediate)
    const ended = site.end()
    await Promise.all(clients)
    expect(failures).to.deep.equal([])
    expect(await ended).to.equal(0)
  })

  it('answers the next request on an open connection, and says that it closes it', async () => {
    const site = await startPentad(temporaryFolder())
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = (from?: Agent) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        get(`${site.url}/wp-json/`, { agent: from ?? false }, (answer) => {
          answer.resume().once('end', () => resolve(answer))
        }).once('error', reject)
      })
    const first = await ask(agent)
    expect(first.headers.connection).to.equal('keep-alive')
    const ended = site.end()
    await until(() =>
      ask().then(
        () => false,
        (error) => isCode(error, 'ECONNREFUSED'),
      ),
    )
    // As a browser or proxy does that does not know of it.
    await wait(100)
    const second = await ask(agent)
    expect([second.statusCode, second.headers.connection]).to.deep.equal([200, 'close'])
    expect(await ended).to.equal(0)
    agent.destroy()
  })
})

describe('pentad start, stopped while an extension hangs', () => {
  const NEVER = '() => new Promise<never>(() => {})'
  const WAYS = {
    route: `host.rest.registerRoute('hung/v1', { method: 'GET', path: '/x', access: 'public',
      handler() { host.log.info('hangs'); return new Promise<never>(() => {}) } })`,
    schedule: `host.jobs.schedule('hung', '* * * * * *', () => { host.log.info('hangs'); return new Promise<never>(() => {}) })`,
    shutdown: `host.hooks.addAction('shutdown', ${NEVER}); host.log.info('hangs')`,
    clean_up: `host.onDispose(${NEVER}); host.log.info('hangs')`,
  }
  const NAMED = {
    route: /"extension":"hung","calls":\["GET \/hung\/v1\/x"\],"msg":"requests aborted because of a hanging extension"/,
    schedule: /"extension":"hung","run":"schedule hung","msg":"run still in progress at shutdown"/,
    shutdown: /A callback of shutdown took longer than 5000 ms.*"extension":"hung"/,
    clean_up: /"extension":"hung",.*"extension cleanup failed"/,
  }

  function siteWith(way: keyof typeof WAYS): string {
    const siteDir = startedSite({ extensions: { hung: { state: 'active', reason: null } } })
    mkdirSync(join(siteDir, 'extensions'), { recursive: true })
    writeFileSync(
      join(siteDir, 'extensions', 'hung.ts'),
      `import { defineExtension } from 'pentad'
      export default defineExtension({ id: 'hung', name: 'Hung', version: '1.0.0', setup(host) { ${WAYS[way]} } })`,
    )
    return siteDir
  }

  it('is deactivated by the command meanwhile, which says what it waits for', async () => {
    const siteDir = siteWith('route')
    const site = await startPentad(siteDir)
    const asked = fetch(`${site.url}/wp-json/hung/v1/x`).then(
      ({ status }) => status,
      () => 'cut off',
    )
    await until(() => site.output().includes('"hangs"'))
    const { code, output, errors } = await pentad(siteDir, ['extension', 'deactivate', 'hung'])
    expect([code, output]).to.deep.equal([0, 'hung is inactive.\n'])
    expect(errors).to.contain('waits 2 seconds for hung to finish calls in progress')
    expect(site.output()).to.match(/"extension":"hung","calls":\["GET \/hung\/v1\/x"\]/)
    expect(await site.end()).to.equal(0)
    // On a slow machine the time limit of the route is over first, which sends 503.
    expect(await asked).to.be.oneOf(['cut off', 503])
  })

  for (const way of ['route', 'schedule', 'shutdown', 'clean_up'] as const) {
    it(`ends all the same, names the extension, and exits 0: ${way}`, async () => {
      const site = await startPentad(siteWith(way))
      const asked = way === 'route' ? fetch(`${site.url}/wp-json/hung/v1/x`).catch(() => 'cut off') : 'cut off'
      await until(() => site.output().includes('"hangs"'))
      expect(await site.end()).to.equal(0)
      expect(await asked).to.equal('cut off')
      expect(site.output()).to.match(NAMED[way])
    })
  }
})
