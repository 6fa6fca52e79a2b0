import { mkdirSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { extensionSource } from './extension-site.ts'

const ZOD = "import { z } from 'zod'"
const NEVER = 'new Promise<never>(() => {})'

describe('a route of an extension', () => {
  let site: TestHost
  const folder = temporaryFolder()

  before(async () => {
    site = await createTestHost()
    const body = { settings: { callbackTimeLimit: 50, handlerTimeLimit: 60 } }
    const answer = await site.request('/wp-json/host/v1/settings/host', { method: 'PUT', as: 'administrator', body })
    expect(answer.status).to.equal(200)
  })
  after(() => site.close())

  async function activate(id: string, setup: string, head = ''): Promise<void> {
    mkdirSync(join(folder, id), { recursive: true })
    writeFileSync(join(folder, id, 'index.ts'), extensionSource(id, setup, head))
    await site.host.extensions.activate(await site.host.extensions.add(join(folder, id)))
  }
  const report = (id: string) => site.host.extensions.list().find((extension) => extension.id === id)
  const route = (id: string, rest: string) =>
    `host.rest.registerRoute('${id}/v1', { method: 'GET', path: '/x', access: 'public', ${rest} })`

  /** Asks five times, which pauses the extension, and answers the first answer and the reason of the pause. */
  async function askUntilPaused(
    id: string,
    path = `/wp-json/${id}/v1/x`,
    init: Parameters<TestHost['request']>[1] = {},
  ) {
    const [first, ...others] = await Promise.all([1, 2, 3, 4, 5].map(() => site.request(path, init)))
    if (!first) throw new Error('nothing was asked')
    // Those that come while it is paused are answered by nobody.
    for (const other of others) expect(other.status).to.be.oneOf([first.status, 503])
    await until(() => report(id)?.state === 'paused')
    return { status: first.status, text: await first.text(), reason: report(id)?.reason ?? '' }
  }

  describe('that takes too long', () => {
    it('is answered 504, and the log and the pause name route, file and line', async () => {
      await activate('hang', route('hang', `handler: () => ${NEVER}`))
      const { status, text, reason } = await askUntilPaused('hang')
      expect(status).to.equal(504)
      const { code, message, data } = JSON.parse(text)
      expect({ code, message }).to.deep.equal({
        code: 'rest_timeout',
        message: 'The request timed out. Please try again later.',
      })
      expect(data).to.have.all.keys('status', 'requestId')
      expect(reason).to.equal(
        'It failed 5 times within a minute, most recently in GET /hang/v1/x: The handler of GET /hang/v1/x took longer than 60 ms. (hang/index.ts:5)',
      )
    })

    it('is named in place of the callback of another extension that waits for it', async () => {
      await activate('hung', route('hung', `timeLimit: 60_000, handler: () => ${NEVER}`))
      await activate(
        'waits',
        `host.hooks.addFilter('the_content', async (html) => {
          const identity = { user: null, session: null, via: 'none' } as never
          await host.rest.dispatch({ method: 'GET', route: '/hung/v1/x', identity })
          return html
        })`,
      )
      for (let visit = 0; visit < 5; visit++) {
        const page = await site.get('/hello-world/')
        expect(page.status).to.equal(200)
        expect(await page.text()).to.contain('Welcome to')
      }
      await until(() => report('hung')?.state === 'paused')
      expect(report('hung')?.reason).to.contain(
        'in GET /hung/v1/x: The handler of GET /hung/v1/x was aborted because the callback that called it exceeded its time limit: A callback of the_content took longer than 50 ms. (hung/index.ts:5)',
      )
      expect((await site.get('/hello-world/')).status).to.equal(200)
      expect(report('waits')?.state).to.equal('active')
      await site.host.extensions.deactivate('waits')
    })

    it('has its signal aborted, and its late result is ignored', async () => {
      await activate(
        'late',
        route(
          'late',
          `handler: ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('too slow'), { once: true }))`,
        ),
      )
      const { status, text } = await askUntilPaused('late')
      expect(status).to.equal(504)
      expect(text).to.not.contain('too slow')
    })

    it('may say that it honestly does', async () => {
      const long = `handler: () => new Promise((resolve) => host.setTimeout(() => resolve('done'), 150))`
      await activate('long', route('long', `timeLimit: 60_000, ${long}`))
      expect(await (await site.get('/wp-json/long/v1/x')).json()).to.equal('done')
      await activate('short', route('short', `timeLimit: 20, ${long}`))
      expect((await askUntilPaused('short')).reason).to.contain('took longer than 20 ms')
    })

    it('is let finish an answer that it streams, and read a body that comes slowly', async () => {
      await activate(
        'streams',
        `${route(
          'streams',
          `handler: () => new RestResponse(Readable.from((async function* () {
            for (const part of ['a', 'b']) {
              yield part
              await wait(100)
            }
          })()), { headers: { 'Content-Type': 'text/plain' } })`,
        )}
        host.rest.registerRoute('streams/v1', { method: 'POST', path: '/x', access: 'public', body: 'stream',
          handler: async ({ stream }) => (await Array.fromAsync(stream ?? [])).join('') })`,
        `import { RestResponse } from 'pentad'\nimport { Readable } from 'node:stream'\nimport { setTimeout as wait } from 'node:timers/promises'`,
      )
      expect(await (await site.get('/wp-json/streams/v1/x')).text()).to.equal('ab')
      const answer = await new Promise<string>((resolve, reject) => {
        const sending = httpRequest(`${site.url}/wp-json/streams/v1/x`, { method: 'POST' }, (response) => {
          response.setEncoding('utf8').once('data', resolve)
        })
        sending.once('error', reject)
        sending.write('slow')
        setTimeout(() => sending.end('ly'), 150)
      })
      expect(answer).to.equal('"slowly"')
      expect(report('streams')?.state).to.equal('active')
    })

    it('is blamed, and not another route that waits for it', async () => {
      await activate('inner', route('inner', `handler: () => ${NEVER}`))
      await activate(
        'outer',
        route(
          'outer',
          `handler: async ({ identity }) => {
            const { status } = await host.rest.dispatch({ method: 'GET', route: '/inner/v1/x', identity })
            await new Promise((resolve) => host.setTimeout(() => resolve(undefined), 5))
            return { status }
          }`,
        ),
      )
      for (let time = 1; time <= 5; time++) {
        expect(await (await site.get('/wp-json/outer/v1/x')).json()).to.deep.equal({ status: 504 })
      }
      await until(() => report('inner')?.state === 'paused')
      expect(report('outer')?.state).to.equal('active')
    })

    it('is so too in its permission check, for which others need not wait', async () => {
      await activate(
        'gate',
        `host.rest.registerRoute('gate/v1', { method: 'GET', path: '/x', access: () => ${NEVER}, handler: () => 'secret' })
        host.rest.registerRoute('gate/v1', { method: 'POST', path: '/x', access: 'public', handler: () => 'open' })`,
      )
      const other = await site.request('/wp-json/gate/v1/x', { method: 'POST' })
      expect(await other.json()).to.equal('open')
      expect(other.headers.get('allow')).to.equal('POST')
      const { status, text, reason } = await askUntilPaused('gate')
      expect(status).to.equal(504)
      expect(text).to.not.contain('secret')
      expect(reason).to.contain('The permission check of GET /gate/v1/x took longer than 50 ms. (gate/index.ts:5)')
    })

    it('is so too in its schema', async () => {
      await activate(
        'schema',
        route('schema', `input: z.object({ a: z.string().default('').refine(() => ${NEVER}) }), handler: () => 1`),
        ZOD,
      )
      const { status, reason } = await askUntilPaused('schema')
      expect(status).to.equal(504)
      expect(reason).to.contain('The input schema of GET /schema/v1/x took longer than 50 ms. (schema/index.ts:5)')
    })
  })

  describe('that asks itself without an end', () => {
    for (const [id, ask] of [
      ['awaits', 'await ask()'],
      ['twice', 'await ask(); await ask()'],
      ['all', 'await Promise.all([ask(), ask(), ask()])'],
      ['leaves', 'void ask()'],
    ]) {
      it(`is stopped, named and paused at once: ${id}`, async () => {
        await activate(
          `${id}`,
          route(
            `${id}`,
            `handler: async ({ identity }) => {
              const ask = () => host.rest.dispatch({ method: 'GET', route: '/${id}/v1/x', identity })
              ${ask}
              return 'done'
            }`,
          ),
        )
        expect((await site.get(`/wp-json/${id}/v1/x`)).status).to.equal(200)
        await until(() => report(`${id}`)?.state === 'paused')
        expect(report(`${id}`)?.reason).to.match(/^Routes and abilities call each other infinitely: /)
      })
    }
  })

  describe('or an ability, that takes too long', () => {
    for (const [id, code] of [
      ['permits', `permits: () => ${NEVER}, execute: () => ({})`],
      ['executes', `execute: () => ${NEVER}`],
      ['reads', `input: z.object({ a: z.string().default('').refine(() => ${NEVER}) }), execute: () => ({})`],
    ]) {
      it(`is answered 504 and named: ${id}`, async () => {
        await activate(
          `${id}`,
          `host.abilities.register({ name: '${id}/x', label: 'X', description: 'X', category: 'site', output: z.object({}),
            permission: 'read', readonly: true, ${code} })`,
          ZOD,
        )
        const path = `/wp-json/wp-abilities/v1/abilities/${id}/x/run`
        const { status, reason } = await askUntilPaused(`${id}`, path, { as: 'administrator' })
        expect(status).to.equal(504)
        expect(reason).to.match(new RegExp(`The ability ${id}/x took longer than \\d+ ms. \\(${id}/index.ts:5\\)`))
      })
    }
  })

  describe('that answers what cannot be sent', () => {
    const CIRCLE = `const circle: Record<string, unknown> = {}
      circle.again = { circle }`
    for (const [id, answer, fault, head = ''] of [
      ['circle', 'circle', 'a body that cannot be serialized as JSON: it contains a circular reference', CIRCLE],
      ['bigint', '[{ big: 1n }]', 'a body that cannot be serialized as JSON: it contains a bigint'],
      ['to-json', `({ toJSON() { throw new Error('no luck') } })`, 'no luck'],
      ['getter', `({ get x() { throw new Error('no luck') } })`, 'no luck'],
      ['symbol', `Symbol('x')`, 'a symbol'],
      ['function', '() => 1', 'a function'],
      [
        'many-times',
        'many',
        'it contains more than 100000000 characters',
        'let many: unknown = 1; for (let n = 0; n < 60; n++) many = [many, many]',
      ],
      ['holes', 'new Array(4_000_000_000)', 'it contains more than 100000000 characters'],
      [
        'endless',
        'endless()',
        'more than 500 levels of nesting',
        'const endless = () => ({ toJSON: () => [endless()] })',
      ],
      ['status', `new RestResponse(1, { status: 99 })`, 'a response with the status 99'],
      ['header', `new RestResponse(1, { headers: { 'X-A': 'a\\nb' } })`, 'a header that cannot be sent'],
    ] as const) {
      it(`is answered 500 and named: ${id}`, async () => {
        await activate(id, `${head}\n${route(id, `handler: () => ${answer}`)}`, `import { RestResponse } from 'pentad'`)
        const { status, text, reason } = await askUntilPaused(id)
        expect(status).to.equal(500)
        expect(JSON.parse(text).code).to.equal('internal_error')
        expect(reason).to.contain(fault)
        expect(reason).to.contain(`${id}/index.ts:`)
      })
    }

    it('spoils neither a batch nor what embeds it', async () => {
      await activate(
        'part',
        `host.rest.registerRoute('part/v1', { method: ['GET', 'POST'], path: '/bad', access: 'public', batch: true, handler: () => 1n })
        host.rest.registerRoute('part/v1', { method: ['GET', 'POST'], path: '/good', access: 'public', batch: true,
          handler: () => ({ _links: { bad: [{ href: host.rest.url('/part/v1/bad'), embeddable: true }] } }) })`,
      )
      const requests = ['/part/v1/bad', '/part/v1/good'].map((path) => ({ path, method: 'POST' }))
      const batch = await site.request('/wp-json/batch/v1', { method: 'POST', body: { requests } })
      const { responses } = (await batch.json()) as { responses: { status: number }[] }
      expect(responses.map(({ status }) => status)).to.deep.equal([500, 200])
      const embedded = await site.get('/wp-json/part/v1/good?_embed')
      expect(await embedded.json()).to.have.nested.property('_embedded.bad[0].code', 'internal_error')
    })

    it('names the callback that made it so, and keeps the answer before', async () => {
      await activate('right', route('right', `handler: () => ({ right: true })`))
      for (const [id, hook, answer] of [
        ['post', 'rest_post_dispatch', 'response.with({ ...(response.body as object), big: 1n })'],
        ['pre', 'rest_pre_dispatch', '() => 1'],
      ]) {
        await activate(
          `${id}`,
          `host.hooks.addFilter('${hook}', (response: any, { route }) => route === '/right/v1/x' ? ${answer} : response)`,
        )
        const { status, text, reason } = await askUntilPaused(`${id}`, '/wp-json/right/v1/x')
        expect(status).to.equal(200)
        expect(JSON.parse(text)).to.deep.equal({ right: true })
        expect(reason).to.contain(`The callback index.ts:5 of ${hook} returned`)
      }
      expect(report('right')?.state).to.equal('active')
    })
  })
})
