import { spawnSync } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const TOKEN = 'a-token-for-prometheus'

/** Values by name and labels, as in the text: `pentad_jobs{type="import",state="failed"}`. */
type Samples = ReadonlyMap<string, number>

describe('GET /host/v1/metrics', () => {
  let site: TestHost
  before(async () => {
    const siteDir = temporaryFolder()
    mkdirSync(join(siteDir, 'extensions'))
    writeFileSync(
      join(siteDir, 'extensions', 'faulty.ts'),
      `import { defineExtension } from 'pentad'
      import { z } from 'zod'
      export default defineExtension({ id: 'faulty', name: 'Faulty', version: '1.0.0', setup(host) {
        host.rest.registerRoute('faulty/v1', { method: 'GET', path: '/x', access: 'public', handler() { throw new Error('no') } })
        host.hooks.addFilter('metrics', (metrics) => [
          ...metrics,
          { name: 'faulty_visits_total', help: 'Visits.', type: 'counter', value: 7, labels: { door: 'a "b"' } },
          { name: 'faulty_debts_total', help: 'Less than nothing.', type: 'counter', value: -1 },
          { name: 'process_cpu_seconds_total', help: 'Not its own.', type: 'counter', value: 1 },
        ])
        const { queue } = host.jobs.createQueue({ name: 'letters', work: () => new Promise(() => {}), timeout: 60_000 })
        queue.push('a')
        host.jobs.define({ type: 'count', data: z.object({}), tick: async () => ({ done: true }) }).job.start({})
      } })`,
    )
    const host_extensions = { faulty: { state: 'active', reason: null } }
    writeFileSync(join(siteDir, 'options.json'), JSON.stringify({ host_extensions }))
    site = await createTestHost({ services: true, config: { siteDir, metricsToken: TOKEN } })
  })
  after(() => site.close())

  const request = (authorization?: string) =>
    site.get('/wp-json/host/v1/metrics', {
      headers: authorization === undefined ? {} : { Authorization: authorization },
    })

  async function scrape(): Promise<Samples> {
    const response = await request(`Bearer ${TOKEN}`)
    expect(response.status).to.equal(200)
    const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    return new Map(
      lines.map((line) => {
        const { name = '', value } = /^(?<name>\w+(?:\{.*\})?) (?<value>\S+)$/.exec(line)?.groups ?? {}
        expect(name, line).not.to.equal('')
        return [name, Number(value)]
      }),
    )
  }

  /** The number of requests of that route. */
  const requests = (samples: Samples, route: string, status = '2xx') =>
    samples.get(`pentad_http_request_duration_seconds_count{route="${route}",method="GET",status="${status}"}`) ?? 0

  const routes = (samples: Samples) =>
    new Set([...samples.keys()].map((name) => /route="([^"]*)"/.exec(name)?.[1]).filter((route) => route !== undefined))

  it('requires the token', async () => {
    expect((await request()).headers.get('www-authenticate')).to.equal('Bearer')
    for (const given of [undefined, 'Bearer wrong', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`]) {
      const response = await request(given)
      expect(response.status, given).to.equal(401)
      expect(await response.text()).not.to.contain('pentad_')
    }
  })

  it('is text for Prometheus, which no cache stores', async () => {
    const response = await request(`Bearer ${TOKEN}`)
    expect(response.headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/)
    expect(response.headers.get('cache-control')).to.contain('no-store')
    const input = await response.text()
    const { error, status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' })
    // Debian has it in the package "prometheus".
    if (error !== undefined) return
    // The names of the metrics of the process are those of prom-client. Status 1 is an error of syntax, 3 of style.
    expect(stderr.split('\n').filter((line) => line !== '' && !line.startsWith('nodejs_'))).to.deep.equal([])
    expect(status).not.to.equal(1)
  })

  it('counts requests by route pattern and status class, whatever clients send', async () => {
    await site.get('/wp-json/wp/v2/posts/1')
    const before = await scrape()
    await Promise.all(Array.from({ length: 20 }, (_, at) => site.get(`/wp-json/wp/v2/posts/${at + 1}`)))
    await Promise.all(Array.from({ length: 20 }, (_, at) => site.get(`/wp-json/nothing/v${at}`)))
    await Promise.all(Array.from({ length: 20 }, (_, at) => site.get(`/missing-${at}/?x=${at}`)))
    await site.get('/?rest_route=/wp/v2/posts/1')
    await site.request('/feed/', { method: 'PROPFIND' })
    const after = await scrape()
    const route = '/wp-json/wp/v2/posts/{id}'
    const count = (status: string) => requests(after, route, status) - requests(before, route, status)
    expect(count('2xx') + count('4xx')).to.equal(21)
    expect(requests(after, 'other', '4xx') - requests(before, 'other', '4xx')).to.equal(20)
    expect(requests(after, 'page', '4xx') - requests(before, 'page', '4xx')).to.equal(20)
    expect([...after.keys()].some((name) => name.includes('method="other"'))).to.equal(true)
    const added = [...routes(after)].filter((name) => !routes(before).has(name))
    expect(added.sort()).to.be.an('array').with.length.at.most(3)
    expect([...routes(after)].join()).not.to.match(/missing-|nothing/)
  })

  it('counts results of the page cache, and the time to render pages', async () => {
    const before = await scrape()
    await site.get('/?p=1')
    await site.get('/sample-page/')
    await site.get('/sample-page/')
    const after = await scrape()
    const added = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    expect(added('pentad_page_cache_requests_total{result="hit"}')).to.be.at.least(1)
    expect(added('pentad_page_cache_requests_total{result="miss"}')).to.be.at.least(1)
    expect(added('pentad_page_render_duration_seconds_count')).to.be.at.least(1)
  })

  it('counts database statements', async () => {
    const name = 'pentad_database_statement_duration_seconds_count{statement="select",result="ok"}'
    const before = await scrape()
    await site.get('/wp-json/wp/v2/posts')
    expect(((await scrape()).get(name) ?? 0) - (before.get(name) ?? 0)).to.be.at.least(1)
  })

  it('counts calls, time and errors by extension, and jobs and queue items', async () => {
    expect((await site.get('/wp-json/faulty/v1/x')).status).to.equal(500)
    const samples = await scrape()
    expect(samples.get('pentad_extension_errors_total{owner="faulty"}')).to.equal(1)
    expect(samples.get('pentad_extension_errors_total{owner="seo"}')).to.equal(0)
    expect(samples.get('pentad_hook_callback_calls_total{owner="core"}')).to.be.at.least(1)
    expect(samples.get('pentad_hook_callback_seconds_total{owner="seo"}')).to.be.greaterThan(0)
    expect(samples.get('pentad_queue_items{owner="faulty",queue="letters"}')).to.equal(1)
    expect([...samples.keys()].filter((name) => name.startsWith('pentad_jobs{type="count"'))).to.have.length(1)
    expect(samples.get('pentad_extensions{state="active"}')).to.be.at.least(5)
  })

  it('has valid metrics of extensions that replace no others', async () => {
    const samples = await scrape()
    expect(samples.get('faulty_visits_total{door="a \\"b\\""}')).to.equal(7)
    expect([...samples.keys()].filter((name) => name.startsWith('faulty_'))).to.have.length(1)
    expect(samples.get('process_cpu_seconds_total')).not.to.equal(1)
  })

  it('has the metrics of the process, and works without a database', async () => {
    const file = join(site.host.config.siteDir, 'site.db')
    renameSync(file, `${file}.moved`)
    try {
      // A result of the readiness checks may be a second old.
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      const samples = await scrape()
      expect(samples.get('pentad_ready_check{check="database"}')).to.equal(0)
      expect(samples.get('process_resident_memory_bytes')).to.be.greaterThan(1_000_000)
      expect([...samples.keys()]).to.include.members(['nodejs_eventloop_lag_p99_seconds', 'process_cpu_seconds_total'])
      expect(samples.get('pentad_ready_check{check="disk"}')).to.equal(1)
    } finally {
      renameSync(`${file}.moved`, file)
    }
  })
})

describe('GET /host/v1/metrics without a configured token', () => {
  it('does not exist, and nothing is measured', async () => {
    const site = await createTestHost()
    try {
      const response = await site.get('/wp-json/host/v1/metrics', { headers: { Authorization: 'Bearer ' } })
      expect(response.status).to.equal(404)
      expect(channel('http.server.request.start').hasSubscribers).to.equal(false)
      expect(channel('http.server.response.finish').hasSubscribers).to.equal(false)
    } finally {
      await site.close()
    }
  })
})
