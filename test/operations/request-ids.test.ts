import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import { z } from 'zod'
import { createSite, type Site } from '../../app/create-site.ts'
import { callWordPressRoute } from '../../cli/call-route.ts'
import { writeGuest } from '../sandbox/guests.ts'
import { onEachDatabase } from '../support/databases.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

const record = z.looseObject({ msg: z.string().default(''), requestId: z.string().optional() })
const failure = z.object({ data: z.object({ requestId: z.string() }) })

/** Writes a line wherever code of an extension can run for a request, or because of one. */
const EXTENSION = `import { z } from 'zod'
export default {
  id: 'trail', name: 'Trail', version: '1.0.0',
  setup({ changes, hooks, jobs, log, mail, rest, setInterval, setTimeout }) {
    changes.follow({
      name: 'Trail',
      caches: () => ['cache'],
      async purge({ tags }) {
        log.info(tags.includes('trail') ? 'in the purge of a tag' : 'in another purge')
        if (tags.includes('trail')) throw new Error('The cache is down.')
      },
    })
    rest.registerRoute('trail/v1', {
      method: 'POST', path: '/change', access: 'public',
      async handler() {
        hooks.doAction('purge_pages', { tags: ['trail'], reason: 'Trail.' })
        return {}
      },
    })
    const work = async (name) => log.info('in the queue: ' + name)
    const { queue } = jobs.createQueue({ name: 'trail', concurrency: 1, work })
    const { job } = jobs.define({
      type: 'trail',
      data: z.object({ isRepeat: z.boolean() }),
      async tick({ data }) {
        log.info('in the job')
        if (!data.isRepeat) return { done: false, data: { isRepeat: true }, delayMs: 50 }
        hooks.doAction('trail')
        await mail.send({ to: 'ann@example.org', subject: 'Trail', text: 'Done.' })
        return { done: true }
      },
    })
    hooks.addAction('trail', () => log.info('in an action'))
    setInterval(() => log.info('in an interval'), 50)
    rest.registerRoute('trail/v1', {
      method: 'POST', path: '/go', access: 'public',
      async handler({ query }) {
        log.info('in the route')
        setTimeout(() => log.info('in a timer'), 5)
        queue.push('first')
        queue.push('second')
        await job.start({ isRepeat: false })
        throw new Error('Unexpected.')
      },
    })
  },
}`

const GUEST = `permissions: { routes: ['public'] }, setup({ rest, log }) {
  const route = (path, handler) => rest.registerRoute('guest/v1', { method: 'GET', path, access: 'public', handler })
  route('/go', async () => {
    log.info('in the sandbox')
    return {}
  })
  route('/endless', async () => {
    for (;;);
  })
}`

onEachDatabase('The ID of a request in the log', (databaseUrl) => {
  let site: Site
  const lines: string[] = []
  const idsOf = (message: string) =>
    lines
      .map((line) => record.parse(JSON.parse(line)))
      .filter(({ msg }) => msg === message)
      .map(({ requestId }) => requestId)

  before(async () => {
    const siteDir = temporaryFolder()
    const file = join(siteDir, 'trail.ts')
    writeFileSync(file, EXTENSION)
    const url = await databaseUrl()
    site = await createSite(
      { siteDir, port: 0, logLevel: 'info', ...(url !== undefined && { databaseUrl: url }) },
      {
        runServices: false,
        sandboxLimits: { cpu: 200 },
        logTo: { write: (line: string) => void lines.push(line) },
      },
    )
    await site.listen()
    for (const path of [file, await writeGuest('guest', 'sandbox', GUEST)]) {
      const { state, reason } = await site.extensions.activate(await site.extensions.add(path))
      expect(state, String(reason)).to.equal('active')
    }
  })
  after(() => site?.close())

  it('is in the response, and on all lines of the request and of what it causes', async () => {
    const response = await fetch(`${site.config.url}/wp-json/trail/v1/go`, { method: 'POST' })
    const id = response.headers.get('x-request-id') ?? ''
    expect(id).to.match(/^[\da-f-]{36}$/)
    expect(failure.parse(await response.json()).data.requestId).to.equal(id)
    await until(() => idsOf('no SMTP server configured, mail stored as a file').length > 0)
    const expected = {
      'in the route': 1,
      'extension error ignored': 1,
      'in a timer': 1,
      'in the queue: first': 1,
      'in the queue: second': 1,
      'in the job': 2,
      'in an action': 1,
      'no SMTP server configured, mail stored as a file': 1,
    }
    for (const [message, count] of Object.entries(expected)) {
      expect(idsOf(message), message).to.deep.equal(Array(count).fill(id))
    }
  })

  it('is on the lines of deliveries of the change log that it caused', async () => {
    const receiver = createServer((_request, response) => void response.writeHead(410).end()).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const address = receiver.address()
    const port = typeof address === 'object' ? address?.port : undefined
    await until(() => idsOf('in another purge').length > 0)
    await callWordPressRoute(site, 'POST', '/host/v1/webhooks', { url: `http://127.0.0.1:${port}/` })
    const response = await fetch(`${site.config.url}/wp-json/trail/v1/change`, { method: 'POST' })
    const id = response.headers.get('x-request-id')
    await until(() => idsOf('webhook disabled').length > 0)
    await until(() => idsOf('cache could not be purged, will be retried').length > 0)
    for (const message of ['webhook disabled', 'in the purge of a tag', 'cache could not be purged, will be retried']) {
      expect(idsOf(message)[0], message).to.equal(id)
    }
    receiver.close()
  })

  it('is that of the request which it belongs to, in a sandbox also after the first', async () => {
    const calls = await Promise.all(Array.from({ length: 3 }, () => fetch(`${site.config.url}/wp-json/guest/v1/go`)))
    const ids = calls.map(({ headers }) => headers.get('x-request-id'))
    expect(new Set(ids).size).to.equal(3)
    expect(idsOf('in the sandbox')).to.have.members(ids)
    const ended = await fetch(`${site.config.url}/wp-json/guest/v1/endless`)
    expect(ended.status).to.be.at.least(500)
    expect(idsOf('sandboxed call ended')).to.deep.equal([ended.headers.get('x-request-id')])
  })

  it('is on no line of what runs regularly', async () => {
    await until(() => idsOf('in an interval').length > 0)
    expect(idsOf('in an interval').filter((id) => id !== undefined)).to.deep.equal([])
  })
})
