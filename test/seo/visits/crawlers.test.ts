import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { crawlerIn } from '../../../plugins/seo/crawlers/known-crawlers.ts'
import type { VisitTables } from '../../../plugins/seo/visits/tables.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { until } from '../../support/until.ts'
import { set } from '../seo-site.ts'
import {
  AT_HOME,
  clear,
  crawlersOf,
  GPTBOT,
  license,
  OF_GPTBOT,
  openVisitedSite,
  referralsOf,
  visit,
} from './visit-site.ts'

describe('The crawler that a User-Agent names', () => {
  const nameIn = (userAgent: string) => crawlerIn(userAgent)?.name

  it('is found in any case and place', () => {
    expect(nameIn(GPTBOT)).to.equal('GPTBot')
    expect(nameIn('gptbot')).to.equal('GPTBot')
    expect(nameIn('Mozilla/5.0 (compatible; Claude-SearchBot/1.0; +Claude-SearchBot@anthropic.com)')).to.equal(
      'Claude-SearchBot',
    )
    expect(
      nameIn('meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)'),
    ).to.equal('meta-externalagent')
  })

  it('is a whole word', () => {
    for (const userAgent of ['NotGPTBot/1.0', 'GPTBotulism', 'GPTBot-Extended/1.0', 'My_GPTBot', 'x.GPTBot']) {
      expect(nameIn(userAgent), userAgent).to.equal(undefined)
    }
  })

  it('is not the one that an address in it explains', () => {
    expect(nameIn('Other/1.0 (+https://openai.com/gptbot)')).to.equal(undefined)
  })

  it('is the first of several', () => {
    expect(nameIn('Mozilla/5.0 (compatible; ClaudeBot/1.0) (like GPTBot/1.2; Googlebot/2.1)')).to.equal('ClaudeBot')
  })

  it('is never one that stands in robots.txt only', () => {
    for (const name of ['Google-Extended', 'Applebot-Extended']) expect(nameIn(`${name}/1.0`)).to.equal(undefined)
  })

  it('takes linear time for crafted user agents', () => {
    expect(nameIn('GPTBo'.repeat(200_000))).to.equal(undefined)
  })
})

onEachDatabase('GET /geo/crawlers', (databaseUrl) => {
  let site: TestHost
  before(async () => {
    const url = await databaseUrl()
    site = await openVisitedSite({ config: url === undefined ? {} : { databaseUrl: url } })
  })
  afterEach(async () => {
    await site.host.license.remove()
    await clear(site)
  })
  after(() => site.close())

  it('reports the URLs, counts and days of each crawler', async () => {
    await visit(site, '/hello-world/', { as: GPTBOT })
    await visit(site, '/hello-world/?again=1', { as: GPTBOT })
    await visit(site, '/', { as: GPTBOT })
    await visit(site, '/', { as: 'CCBot/2.0 (https://commoncrawl.org/faq/)' })
    await visit(site, '/')
    const { days, total, crawlers, daily } = await crawlersOf(site)
    expect({ days, total }).to.deep.equal({ days: 7, total: 4 })
    expect(crawlers.map(({ name, hits }) => `${name} ${hits}`)).to.deep.equal(['GPTBot 3', 'CCBot 1'])
    const [gptbot] = crawlers
    expect(gptbot).to.include({ vendor: 'OpenAI', purpose: 'training' })
    expect(gptbot?.pages).to.deep.equal([
      { url: `${site.host.config.url}/hello-world/`, hits: 2 },
      { url: `${site.host.config.url}/`, hits: 1 },
    ])
    expect(gptbot?.lastSeenAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(daily).to.have.length(7)
    expect(daily.at(-1)).to.deep.equal({ date: new Date().toISOString().slice(0, 10), hits: 4 })
  })

  it('counts missing pages without their URLs, so that made-up URLs cannot fill the list', async () => {
    await visit(site, '/made-up/', { as: GPTBOT })
    await visit(site, '/wp-json/wp/v2/posts', { as: GPTBOT })
    const { crawlers } = await crawlersOf(site)
    expect(crawlers).to.have.length(1)
    expect(crawlers[0]).to.include({ hits: 2 })
    expect(crawlers[0]?.pages).to.deep.equal([])
  })

  it('says nothing of who they were, and of 7 days at most, without a license', async () => {
    await visit(site, '/', { as: GPTBOT, from: OF_GPTBOT })
    expect((await crawlersOf(site, '?days=365')).days).to.equal(7)
    const { days, crawlers, daily } = await crawlersOf(site, '?days=90')
    expect(days).to.equal(7)
    expect(daily).to.have.length(7)
    expect(crawlers[0]).to.not.have.any.keys('verified', 'spoofed')
  })

  it('reports 90 days with a license', async () => {
    await license(site)
    expect((await crawlersOf(site)).days).to.equal(90)
    const { days, daily } = await crawlersOf(site, '?days=30')
    expect(days).to.equal(30)
    expect(daily).to.have.length(30)
    expect((await crawlersOf(site, '?days=365')).days).to.equal(90)
    expect((await referralsOf(site, '?days=365')).days).to.equal(90)
    for (const wrong of ['0', '-1', '7x', '1e9999'])
      expect((await site.get(`/wp-json/seo/v1/geo/crawlers?days=${wrong}`, { as: 'administrator' })).status).to.equal(
        400,
      )
  })

  it('verifies a crawler by the addresses of its operator, and never one from elsewhere', async () => {
    await license(site)
    await visit(site, '/', { as: GPTBOT, from: OF_GPTBOT })
    await visit(site, '/', { as: GPTBOT, from: `::ffff:${OF_GPTBOT}` })
    await visit(site, '/hello-world/', { as: GPTBOT, from: AT_HOME })
    await visit(site, '/', { as: GPTBOT, from: '2001:db8::1' })
    const { crawlers, total } = await crawlersOf(site)
    expect(total).to.equal(4)
    expect(crawlers.map(({ name, hits, verified }) => ({ name, hits, verified }))).to.have.deep.members([
      { name: 'GPTBot', hits: 2, verified: true },
      { name: 'GPTBot', hits: 2, verified: false },
    ])
  })

  it('keeps no address', async () => {
    await license(site)
    await visit(site, '/', { as: GPTBOT, from: AT_HOME })
    await crawlersOf(site)
    const rows = await site.host.database.db
      .withTables<VisitTables>()
      .selectFrom('seo_daily_visits')
      .selectAll()
      .execute()
    expect(rows).to.have.length(1)
    expect(JSON.stringify(rows)).to.not.contain(AT_HOME)
  })

  it('counts no crawler as a visitor from an assistant', async () => {
    await license(site)
    await visit(site, '/', { as: GPTBOT, Referer: 'https://chatgpt.com/' })
    expect((await referralsOf(site)).total).to.equal(0)
  })

  it('counts nothing while it is switched off', async () => {
    await set(site, { crawlerTracking: 'off' })
    await visit(site, '/', { as: GPTBOT })
    await set(site, { crawlerTracking: 'on' })
    expect((await crawlersOf(site)).total).to.equal(0)
  })
})

describe('Crawlers of an untrusted peer', () => {
  let site: TestHost
  before(async () => {
    site = await openVisitedSite({ config: { trustedProxies: [] } })
    await license(site)
  })
  after(() => site.close())

  it('are not verified by what X-Forwarded-For says', async () => {
    await visit(site, '/', { as: GPTBOT, from: OF_GPTBOT })
    const { crawlers } = await crawlersOf(site)
    expect(crawlers.map(({ verified }) => verified)).to.deep.equal([false])
  })
})

describe('The days of crawls', () => {
  let site: TestHost
  before(async () => {
    site = await openVisitedSite({ now: '2026-03-01T23:59:57Z' })
  })
  after(() => site.close())

  const tables = () => site.host.database.db.withTables<VisitTables>()
  const add = (...days: string[]) =>
    tables()
      .insertInto('seo_daily_visits')
      .values(
        days.map((day) => ({
          ...{ day, kind: 'crawl' as const, name: 'CCBot', identity: 'unverified', path: '/', hits: 1 },
          last_gmt: `${day} 12:00:00`,
        })),
      )
      .execute()

  it('end at midnight UTC', async () => {
    await visit(site, '/', { as: GPTBOT })
    await site.clock.advance(5_000)
    await visit(site, '/', { as: GPTBOT })
    const { daily } = await crawlersOf(site)
    expect(daily.slice(-2)).to.deep.equal([
      { date: '2026-03-01', hits: 1 },
      { date: '2026-03-02', hits: 1 },
    ])
  })

  it('are the last 7 or 90, today among them', async () => {
    await clear(site)
    await add('2026-02-24', '2026-02-23', '2025-12-03', '2025-12-02')
    expect((await crawlersOf(site)).total).to.equal(1)
    await license(site)
    expect((await crawlersOf(site)).total).to.equal(3)
  })

  it('are deleted when they are older than the reports', async () => {
    await site.clock.advance(15 * 60_000)
    await until(async () => {
      const rows = await tables().selectFrom('seo_daily_visits').select('day').orderBy('day').execute()
      return rows[0]?.day === '2025-12-03'
    })
  })
})
