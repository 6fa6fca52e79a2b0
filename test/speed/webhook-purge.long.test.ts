import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { until } from '../support/until.ts'
import { isAllSent, purgeTags } from './caches-in-front.ts'

const root = join(import.meta.dirname, '../..')
const extensions = ['plugins/speed', 'extensions/webhook-purge'].map((path) => join(root, path))
const KEY = randomBytes(32)
const secret = `whsec_${KEY.toString('base64')}`

describe('webhook-purge', () => {
  let host: TestHost
  let server: Server
  let receiver: string
  let statuses: number[]
  const got: { headers: IncomingHttpHeaders; body: string }[] = []

  beforeEach(async () => {
    got.length = 0
    statuses = []
    server = createServer(async (request, response) => {
      got.push({ headers: request.headers, body: await text(request) })
      response.writeHead(statuses.shift() ?? 204).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    receiver = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/hook`
  })
  afterEach(async () => {
    await host.close()
    server.closeAllConnections()
    server.close()
  })

  const open = async (environment: 'local' | 'production', ...urls: string[]) => {
    host = await createTestHost({ extensions, config: { environment } })
    await set({ urls, secret })
  }
  const set = (settings: unknown) => send('/host/v1/settings/webhook-purge', { settings }, 'PUT')
  const send = (path: string, body: unknown, method = 'POST') =>
    host.request(`/wp-json${path}`, { method, body, as: 'administrator' })
  const about = (tag: string) => got.filter(({ body }) => body.includes(tag))

  it('posts each purge, signed as Standard Webhooks are', async () => {
    await open('local', receiver)
    // The change of settings is told first.
    await until(() => got.length > 0)
    await send('/wp/v2/posts/1', { title: 'Good morning' }, 'PUT')
    await until(() => about('post-1').length > 0)
    const [{ headers, body } = { headers: {}, body: '' }] = about('post-1')
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    expect(headers['webhook-signature']).to.equal(`v1,${createHmac('sha256', KEY).update(signed).digest('base64')}`)
    expect(JSON.parse(body)).to.deep.include({ type: 'speed.purged' })
  })

  it('sends the same message again when it was not taken', async () => {
    await open('local', receiver)
    // The change of settings is told first.
    await until(async () => got.length > 0 && (await isAllSent(host)))
    statuses = [500, 302]
    await purgeTags(host, ['product-7'])
    await until(async () => about('product-7').length === 3 && (await isAllSent(host)))
    expect(new Set(about('product-7').map(({ headers }) => headers['webhook-id'])).size).to.equal(1)
  })

  it('has a test button that reaches every receiver', async () => {
    await open('local', receiver)
    expect((await send('/webhook-purge/v1/test', undefined)).status).to.equal(200)
    expect(about('speed.purge_test')).to.have.length(1)
    statuses = Array.from({ length: 5 }, () => 500)
    const refused = await send('/webhook-purge/v1/test', undefined)
    expect(refused.status).to.equal(502)
    expect(await refused.text()).to.not.contain(secret)
  })

  it('sends no requests to private addresses in production', async () => {
    const { port } = new URL(receiver)
    await open('production')
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      for (const url of [`http://${host}:${port}/`, `https://${host}:${port}/`]) {
        await set({ urls: [url] })
        expect((await send('/webhook-purge/v1/test', undefined)).status, url).to.equal(502)
      }
    }
    expect(got).to.deep.equal([])
  })

  it('leaves nothing behind', async () => {
    await open('local', receiver)
    await host.expectNoLeaks('webhook-purge')
  })
})
