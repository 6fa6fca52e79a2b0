import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { extensionSource } from './extension-site.ts'

const HEAD = `import { createReadStream } from 'node:fs'; import { Readable } from 'node:stream'; import { RestError, RestResponse } from 'pentad'`
/** A stream that is open and has sent one piece. */
const OPEN = 'const stream = new Readable({ read() {} }); stream.push("first")'

describe('a stream that a route of an extension answers', () => {
  let site: TestHost
  const folder = temporaryFolder()

  before(async () => {
    site = await createTestHost()
  })
  after(() => site.close())

  async function activate(id: string, body: string, more = ''): Promise<void> {
    const route = `host.rest.registerRoute('${id}/v1', { method: 'GET', path: '/x', access: 'public', ${more && `${more},`} async handler() {
      ${body}
      return new RestResponse(stream, { headers: { 'Content-Type': 'text/plain' } })
    } })`
    mkdirSync(join(folder, id), { recursive: true })
    writeFileSync(join(folder, id, 'index.ts'), extensionSource(id, route, HEAD))
    await site.host.extensions.activate(await site.host.extensions.add(join(folder, id)))
  }
  const report = (id: string) => site.host.extensions.list().find((extension) => extension.id === id)
  /** Over HTTP, on a connection of its own. Resolves once the connection is closed, whether the answer was a complete success. */
  const ask = (id: string, method = 'GET') =>
    new Promise<boolean>((resolve) => {
      request(`${site.url}/wp-json/${id}/v1/x`, { method, agent: false }, (answer) => {
        answer.resume()
        answer.once('error', () => {}).once('close', () => resolve(answer.complete && answer.statusCode === 200))
      })
        .once('error', () => resolve(false))
        .end()
    })
  /** The answer, and whether its connection had answered before. */
  const receive = (id: string, agent?: Agent, method = 'GET') =>
    new Promise<{ answer: IncomingMessage; isReused: boolean }>((resolve, reject) => {
      const sent = request(`${site.url}/wp-json/${id}/v1/x`, { method, agent: agent ?? false }, (answer) =>
        resolve({ answer, isReused: sent.reusedSocket }),
      )
      sent.once('error', reject).end()
    })

  const FAILURES: [what: string, body: string, message: RegExp][] = [
    [
      'throws midway',
      `const stream = Readable.from((async function* () { yield 'first'; throw new Error('midway') })())`,
      /midway \(throws-midway\/index\.ts:6\)/,
    ],
    [
      'refuses midway, which is too late',
      `const stream = Readable.from((async function* () { yield 'first'; throw new RestError('late', 'too late', { status: 404 }) })())`,
      /too late \(refuses-midway-which-is-too-late\/index\.ts:6\)/,
    ],
    ['holds no text', `const stream = Readable.from([{ no: 'text' }])`, /The "chunk" argument must be of type string/],
    ['is closed midway', `${OPEN}; setImmediate(() => stream.destroy())`, /Premature close/],
    ['fails with a text', `${OPEN}; setImmediate(() => stream.destroy('a text' as never))`, /a text/],
    [
      'fails with a frozen error',
      `${OPEN}; setImmediate(() => stream.destroy(Object.freeze(new Error('frozen'))))`,
      /frozen/,
    ],
  ]
  for (const [what, body, message] of FAILURES) {
    it(`pauses the extension, with route, file and line, where it ${what}`, async () => {
      const id = what.replaceAll(/\W+/g, '-')
      await activate(id, body)
      for (let visit = 0; visit < 5; visit++) expect(await ask(id)).to.equal(false)
      await until(() => report(id)?.state === 'paused')
      expect(report(id)?.reason).to.match(message).and.contain(`most recently in GET /${id}/v1/x: `)
      expect(report(id)?.reason).to.match(new RegExp(`\\(${id}/index\\.ts:\\d+\\)$`))
    })
  }

  const EARLY: [what: string, body: string, message: RegExp][] = [
    [
      'throws at once',
      `const stream = Readable.from((async function* () { throw new Error('at once') })())`,
      /at once \(throws-at-once\/index\.ts:6\)/,
    ],
    [
      'fails later, with nothing sent yet',
      `const stream = new Readable({ read() {} }); setTimeout(() => stream.destroy(new Error('later')), 10)`,
      /later \(fails-later-with-nothing-sent-yet\/index\.ts:6\)/,
    ],
    ['is of a file that is missing', `const stream = createReadStream('/nowhere')`, /ENOENT/],
    [
      'is closed already',
      `const stream = new Readable({ read() {} }); stream.destroy(); await new Promise(setImmediate)`,
      /Premature close/,
    ],
  ]
  for (const [what, body, message] of EARLY) {
    it(`is answered with 500 on a connection that goes on, where it ${what}`, async () => {
      const id = what.replaceAll(/\W+/g, '-')
      await activate(id, body)
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (let visit = 0; visit < 5; visit++) {
        const { answer, isReused } = await receive(id, agent)
        expect(answer.statusCode).to.equal(500)
        expect(answer.headers).to.include({ 'content-type': 'application/json; charset=UTF-8' })
        expect(JSON.parse(await text(answer))).to.have.property('code', 'internal_error')
        expect(isReused).to.equal(visit > 0)
      }
      agent.destroy()
      await until(() => report(id)?.state === 'paused')
      expect(report(id)?.reason).to.match(message).and.contain(`most recently in GET /${id}/v1/x: `)
    })
  }

  it('is answered with 504 and closed where it gives no byte within the time limit of the route, and pauses the extension', async () => {
    await activate(
      'silent',
      `const stream = new Readable({ read() {} })
      stream.once('close', () => process.emit('stream closed' as never))`,
      'timeLimit: 50',
    )
    for (let visit = 0; visit < 5; visit++) {
      const closed = new Promise<void>((resolve) => void process.once('stream closed' as never, () => resolve()))
      const { answer } = await receive('silent')
      expect(answer.statusCode).to.equal(504)
      answer.resume()
      await closed
    }
    await until(() => report('silent')?.state === 'paused')
    expect(report('silent')?.reason)
      .to.contain('The first byte of the stream of GET /silent/v1/x took longer than 50 ms.')
      .and.match(/\(silent\/index\.ts:\d+\)$/)
  })

  it('is answered with the RestError that it throws before its first byte', async () => {
    await activate(
      'absent',
      `const stream = Readable.from((async function* () { throw new RestError('no_film', 'No such film.', { status: 404 }) })())`,
    )
    for (let visit = 0; visit < 6; visit++) {
      const { answer } = await receive('absent')
      expect(answer.statusCode).to.equal(404)
      expect(JSON.parse(await text(answer))).to.include({ code: 'no_film' })
    }
    expect(report('absent')).to.deep.include({ state: 'active', reason: null })
  })

  it('that failed already is no success for a HEAD request either', async () => {
    await activate(
      'gone',
      `const stream = new Readable({ read() {} }); stream.destroy(); await new Promise(setImmediate)`,
    )
    const { answer } = await receive('gone', undefined, 'HEAD')
    expect(answer.statusCode).to.equal(500)
    answer.resume()
  })

  it('is closed where the client leaves before its first byte, which is no fault', async () => {
    await activate(
      'waits',
      `const stream = new Readable({ read() {} })
      stream.once('close', () => process.emit('stream closed' as never))
      process.emit('stream made' as never)`,
    )
    for (let visit = 0; visit < 6; visit++) {
      const [made, closed] = ['stream made', 'stream closed'].map(
        (event) => new Promise<void>((resolve) => void process.once(event, () => resolve())),
      )
      const sent = get(`${site.url}/wp-json/waits/v1/x`, { agent: false }).once('error', () => {})
      await made
      sent.destroy()
      await closed
    }
    expect(report('waits')).to.deep.include({ state: 'active', reason: null })
  })

  it('is at no fault where the client leaves, or asks for the headers only', async () => {
    await activate(
      'patient',
      `const stream = Readable.from((async function* () { for (;;) { yield 'again'; await new Promise(setImmediate) } })())
      stream.once('close', () => process.emit('stream closed' as never))`,
    )
    for (let visit = 0; visit < 6; visit++) {
      const closed = new Promise<void>((resolve) => {
        process.once('stream closed', () => resolve())
      })
      if (visit < 3) get(`${site.url}/wp-json/patient/v1/x`, { agent: false }, (answer) => void answer.destroy())
      else expect(await ask('patient', 'HEAD')).to.equal(true)
      await closed
    }
    expect(report('patient')).to.deep.include({ state: 'active', reason: null })
  })
})
