import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import type { FrontHandler } from '../../core/http/front.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const greet: FrontHandler = (request, response) => {
  if (request.url !== '/greeting') return false
  response.end('Hello from the front')
  return true
}

/** An extension that puts a handler with this body before the application. */
function extension(id: string, body: string): string {
  const folder = join(temporaryFolder(), id)
  mkdirSync(folder)
  const source = `import { defineExtension } from 'pentad'
export default defineExtension({ id: '${id}', name: '${id}', version: '1.0.0', setup(host) {
  host.front.install((request, response) => { ${body} })
} })`
  writeFileSync(join(folder, 'index.ts'), source)
  return folder
}

describe('the front', () => {
  let site: TestHost
  beforeEach(async () => {
    site = await createTestHost()
  })
  afterEach(() => site.close())

  const text = async (path: string, headers: Record<string, string> = {}) => (await site.get(path, { headers })).text()
  const activate = async (folder: string) => site.host.extensions.activate(await site.host.extensions.add(folder))

  it('answers what its handler takes, and lets the rest go its way', async () => {
    const undo = site.host.front.install(greet)
    expect(await text('/greeting')).to.equal('Hello from the front')
    expect(await text('/hello-world/')).to.contain('Welcome')
    undo()
    expect(await text('/greeting')).to.contain('<html')
  })

  it('belongs to the handler installed last, then to the previous one again', async () => {
    await activate(extension('first', `response.end('first'); return true`))
    await activate(extension('second', `response.end('second'); return true`))
    expect([await text('/'), site.host.front.owner]).to.deep.equal(['second', 'second'])
    await site.host.extensions.deactivate('second')
    expect([await text('/'), site.host.front.owner]).to.deep.equal(['first', 'first'])
    await site.host.extensions.deactivate('first')
    expect(site.host.front.owner).to.equal(undefined)
    expect(await text('/')).to.contain('<html')
  })

  for (const [what, handler] of [
    ['never answers what it took', 'return true'],
    ['answers with a promise', 'return new Promise(() => {}) as unknown as boolean'],
  ] as const) {
    it(`passes over a handler that ${what}, and names its extension with file and line`, async () => {
      const body = { settings: { handlerTimeLimit: 50 } }
      const route = '/wp-json/host/v1/settings/host'
      expect((await site.request(route, { method: 'PUT', as: 'administrator', body })).status).to.equal(200)
      await activate(extension('broken', handler))
      for (let request = 0; request < 5; request++) expect(await text('/')).to.contain('<html')
      const report = site.host.extensions.list().find(({ id }) => id === 'broken')
      expect(report).to.include({ state: 'paused' })
      expect(report?.reason).to.match(/the front: .*broken\/index\.ts:3/)
    })
  }

  for (const [what, returned] of [
    ['a promise', 'Promise.resolve()'],
    ['an object', '{ status: 200 }'],
    ['an object', '{ after: 1 }'],
    ['an object', `{ status: 200, head: Buffer.from(''), body: 'text' }`],
  ] as const) {
    it(`names the extension whose ready handler returns ${returned}`, async () => {
      await activate(extension('broken', `return false }, () => { return ${returned} as never`))
      const { hostname, host, port } = new URL(site.url)
      for (let request = 0; request < 5; request++) {
        const socket = connect(Number(port), hostname)
        socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
        expect(String((await once(socket, 'data'))[0])).to.match(/^HTTP\/1\.1 200 /)
        socket.destroy()
      }
      const report = site.host.extensions.list().find(({ id }) => id === 'broken')
      expect(report).to.include({ state: 'paused' })
      expect(report?.reason).to.contain(`the front: The ready handler of the front returned ${what}`)
      expect(report?.reason).to.match(/broken\/index\.ts:3/)
    })
  }

  it('passes over a handler that throws, and counts it against its extension', async () => {
    await activate(extension('broken', `throw new Error('the front is broken')`))
    expect(await text('/')).to.contain('<html')
    for (let request = 0; request < 4; request++) await text('/')
    const report = site.host.extensions.list().find(({ id }) => id === 'broken')
    expect(report).to.include({ state: 'paused' })
    expect(report?.reason).to.contain('the front is broken')
  })

  it('lets a handler hand a request back', async () => {
    site.host.front.install((request, response) => {
      response.setHeader('X-Cache', 'BYPASS')
      setImmediate(() => site.host.front.pass(request, response))
      return true
    })
    const answer = await site.get('/hello-world/')
    expect(answer.headers.get('x-cache')).to.equal('BYPASS')
    expect(await answer.text()).to.contain('Welcome')
  })

  it('is passed over during maintenance', async () => {
    site.host.front.install(greet)
    const end = site.host.maintenance.enter(30)
    expect((await site.get('/greeting')).status).to.equal(503)
    end()
    expect((await site.get('/greeting')).status).to.equal(200)
  })

  it('renders a page for a visitor about whom nothing is known', async () => {
    const seen: unknown[] = []
    site.host.hooks.addAction('template_redirect', ({ user, request: { headers, address, query } }) => {
      seen.push({ user, headers: Object.keys(headers).sort(), address, query: query.toString() })
    })
    const answer = await site.host.front.render('/hello-world/?a=1')
    expect(answer.status).to.equal(200)
    expect(answer.headers['content-type']).to.equal('text/html; charset=UTF-8')
    expect(answer.body.toString()).to.contain('Welcome')
    expect(seen).to.deep.equal([{ user: null, headers: ['host', 'user-agent'], address: '127.0.0.1', query: 'a=1' }])
  })

  it('aborts no signal of a page that it has rendered', async () => {
    const signals: AbortSignal[] = []
    site.host.hooks.addAction('template_redirect', (page) => void signals.push(page.signal))
    expect((await site.host.front.render('/hello-world/')).status).to.equal(200)
    await new Promise((resolve) => setImmediate(resolve))
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false])
  })

  it('aborts an endless response, and destroys its stream', async () => {
    const piece = Buffer.alloc(64 * 1024, 'x')
    const endless = new Readable({
      read() {
        this.push(piece)
      },
    })
    const left = new Promise((resolve) => endless.once('close', resolve))
    site.host.hooks.addAction('template_redirect', (page) => page.respond({ body: endless }))
    const failure = await site.host.front.render('/endless/').catch((error: unknown) => error)
    expect(failure).to.match(/longer than/)
    await left
  })

  it('renders a long answer whole', async () => {
    const pieces = Array.from({ length: 100 }, (_, at) => Buffer.alloc(64 * 1024, String(at % 10)))
    site.host.hooks.addAction('template_redirect', (page) => page.respond({ body: Readable.from(pieces) }))
    const { body } = await site.host.front.render('/long/')
    expect(body.equals(Buffer.concat(pieces))).to.equal(true)
  })
})
