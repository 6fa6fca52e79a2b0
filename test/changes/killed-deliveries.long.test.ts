import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect } from 'chai'
import { z } from 'zod'
import { type Cluster, startCluster } from '../support/cluster.ts'
import { pentad, type RunningSite, startPentad } from '../support/pentad.ts'
import { createPostgresDatabase, postgresBinaries } from '../support/postgres.ts'
import { startedSite } from '../support/started-site.ts'
import { until } from '../support/until.ts'

const bodySchema = z.object({ data: z.object({ tags: z.array(z.string()) }) })

describe('A process that stops during a webhook delivery', () => {
  let received: { readonly tag: string; readonly id: string }[]
  let held: ServerResponse[]
  let isSilent: boolean

  const receiver = createServer(async (request, response) => {
    const [tag = ''] = bodySchema.parse(await json(request)).data.tags
    received.push({ tag, id: String(request.headers['webhook-id']) })
    if (isSilent) held.push(response)
    else response.writeHead(204).end()
  })

  before(async () => {
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
  })
  after(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  beforeEach(() => {
    received = []
    held = []
    isSilent = true
  })

  const receiverUrl = () => {
    const address = receiver.address()
    return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/`
  }
  /** Of the events that the tests cause. */
  const tags = () => received.map(({ tag }) => tag).filter((tag) => ['first', 'second', 'third'].includes(tag))
  const idsOf = (tag: string) => new Set(received.filter((each) => each.tag === tag).map(({ id }) => id))

  for (const kind of ['SQLite', 'PostgreSQL']) {
    it(`is killed: the next one delivers the event again soon, then the next event (${kind})`, async function () {
      if (kind === 'PostgreSQL' && !postgresBinaries && process.env.CI !== 'true') this.skip()
      const databaseUrl = kind === 'PostgreSQL' ? await createPostgresDatabase() : undefined
      const folder = startedSite({ config: { adminPassword: 'correct horse battery', databaseUrl } })
      let site: RunningSite = await startPentad(folder)
      const { output } = await pentad(folder, ['user', 'app-password', 'admin', 'test'])
      const authorization = `Basic ${btoa(`admin:${/(?:\w{4} ){5}\w{4}/.exec(output)?.[0]}`)}`
      async function post(path: string, body: object): Promise<void> {
        const headers = { authorization, 'Content-Type': 'application/json' }
        const sent = { method: 'POST', headers, body: JSON.stringify(body) }
        const response = await fetch(`${site.url}/wp-json/host/v1${path}`, sent)
        expect(response.status, await response.text()).to.equal(200)
      }
      await post('/webhooks', { url: receiverUrl() })
      await post('/purge', { tags: ['first'] })
      await until(() => tags().length === 1)
      await post('/purge', { tags: ['second'] })
      await site.end('SIGKILL')
      isSilent = false
      site = await startPentad(folder)
      try {
        await until(() => tags().includes('second'), { seconds: 20 })
        expect(tags()).to.deep.equal(['first', 'first', 'second'])
        expect(idsOf('first').size).to.equal(1)
      } finally {
        await site.end()
      }
    })
  }

  describe('on a site with two nodes', () => {
    let cluster: Cluster

    before(async function () {
      if (!postgresBinaries && process.env.CI !== 'true') this.skip()
      cluster = await startCluster()
    })
    after(() => cluster?.end())

    it('is paused: the other node takes over, and the delivery does not continue afterward', async () => {
      await cluster.write(0, '/host/v1/webhooks', { url: receiverUrl() })
      await cluster.nodes[1]?.end()
      await cluster.write(0, '/host/v1/purge', { tags: ['first'] })
      await until(() => tags().length === 1)
      const paused = cluster.nodes[0]?.pid() ?? Number.NaN
      process.kill(paused, 'SIGSTOP')
      try {
        isSilent = false
        await cluster.start(1)
        await cluster.write(1, '/host/v1/purge', { tags: ['second'] })
        await until(() => tags().includes('second'), { seconds: 20 })
        for (const response of held) response.writeHead(204).end()
      } finally {
        process.kill(paused, 'SIGCONT')
      }
      await cluster.write(0, '/host/v1/purge', { tags: ['third'] })
      await until(() => tags().includes('third'))
      expect(tags()).to.deep.equal(['first', 'first', 'second', 'third'])
      expect(idsOf('first').size).to.equal(1)
      await until(async () => {
        const { body } = await cluster.send(0, 'GET', '/wp-json/host/v1/webhooks', { asAdmin: true })
        return JSON.parse(body).items[0].pending === 0
      })
      expect(tags()).to.have.lengthOf(4)
    })
  })
})
