import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { onEachDatabase } from '../../support/databases.ts'
import { asAdministrator, call, changeSettings, ROOT, startPushSite } from '../push/push-site.ts'

const PHONE =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0'
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

onEachDatabase('pwa/v1/pwa-users', (databaseUrl) => {
  let site: TestHost

  before(async () => {
    const url = await databaseUrl()
    site = await startPushSite(url === undefined ? {} : { config: { databaseUrl: url } })
  })
  after(() => site.close())

  const upsert = (body: object, userAgent = PHONE, address = '8.8.8.8') =>
    call(site, 'PUT', '/pwa-users/upsert', body, {
      headers: { 'User-Agent': userAgent, 'X-Forwarded-For': address },
    })
  const analytics = async (query = '') =>
    (await call(site, 'GET', `/pwa-users/fetch${query}`, undefined, asAdministrator)).data

  it('counts a browser once, with what it is and where', async () => {
    const pwaUserId = randomUUID()
    expect((await upsert({ pwaUserId })).data).to.deep.equal({ pwaUserId, type: 'insert' })
    expect((await upsert({ pwaUserId })).data).to.deep.equal({ pwaUserId, type: 'update' })
    const data = await analytics()
    expect(data).to.deep.include({ activeUsers: 1, totalUsers: 1 })
    expect(data.browsers).to.deep.equal([{ name: 'Chrome', active: 1, percentage: 100 }])
    expect(data.operatingSystems).to.deep.equal([{ name: 'Android', active: 1, percentage: 100 }])
    expect(data.devices).to.deep.equal([{ name: 'Phone', active: 1, percentage: 100 }])
    expect(data.countries).to.deep.equal([{ name: 'US', active: 1, percentage: 100 }])
  })

  it('makes an id for who has none, and knows them by a cookie that goes to this service only', async () => {
    const first = await site.request(`${ROOT}/pwa-users/upsert`, {
      method: 'PUT',
      body: {},
      headers: { 'User-Agent': MAC },
    })
    const cookie = first.headers.get('set-cookie') ?? ''
    expect(cookie).to.match(/^pwa_user_id=[\da-f-]{36}; Path=\/wp-json\/pwa\/v1; .*HttpOnly; SameSite=Lax$/)
    const { data } = JSON.parse(await first.text())
    const again = await site.request(`${ROOT}/pwa-users/upsert`, {
      method: 'PUT',
      body: {},
      headers: { 'User-Agent': MAC, Cookie: cookie.split(';')[0] ?? '' },
    })
    expect(JSON.parse(await again.text()).data).to.deep.equal({ pwaUserId: data.pwaUserId, type: 'update' })
  })

  it('counts each installation once, on its day', async () => {
    const pwaUserId = randomUUID()
    await upsert({ pwaUserId, event: 'install' })
    await upsert({ pwaUserId, displayMode: 'standalone' })
    const { installations } = await analytics('?days=7')
    expect(installations).to.have.lengthOf(7)
    expect(installations.at(-1)).to.deep.equal({ date: new Date().toISOString().slice(0, 10), count: 1 })
  })

  it('reports the display mode of the last visit', async () => {
    const pwaUserId = randomUUID()
    await upsert({ pwaUserId, displayMode: 'browser' })
    await upsert({ pwaUserId, displayMode: 'standalone' })
    const modes = async () => {
      const { displayModes } = await analytics()
      return Object.fromEntries(
        displayModes.map(({ name, active }: { name: string; active: number }) => [name, active]),
      )
    }
    const before = await modes()
    expect(before).to.include({ standalone: 2 }).and.not.to.have.property('browser')
    await upsert({ pwaUserId })
    expect(await modes()).to.deep.equal(before)
  })

  it('excludes bots and clients without a user agent', async () => {
    const { totalUsers } = await analytics()
    expect((await upsert({ pwaUserId: randomUUID() }, BOT)).status).to.equal(200)
    expect((await upsert({ pwaUserId: randomUUID() }, '')).status).to.equal(200)
    expect((await analytics()).totalUsers).to.equal(totalUsers)
  })

  it('keeps no address and nothing that a visitor makes up', async () => {
    await upsert({ pwaUserId: randomUUID() }, 'EvilName/1.0 (x)', '81.2.69.142')
    const rows = await site.host.database.db
      .withTables<{ pwa_users: object }>()
      .selectFrom('pwa_users')
      .selectAll()
      .execute()
    expect(JSON.stringify(rows)).to.not.match(/81\.2\.69\.142|EvilName/)
  })

  it('accepts a country header only from a trusted proxy', async () => {
    await changeSettings(site, { countryHeader: 'cf-ipcountry' })
    const countries = async () => (await analytics()).countries.map(({ name }: { name: string }) => name)
    const told = (country: string, headers: Readonly<Record<string, string>>) =>
      site.request(`${ROOT}/pwa-users/upsert`, {
        method: 'PUT',
        body: { pwaUserId: randomUUID() },
        headers: { 'User-Agent': MAC, 'CF-IPCountry': country, ...headers },
      })
    // Nobody has passed it on: the header is whoever's who calls.
    await told('NZ', {})
    expect(await countries()).to.not.include('NZ')
    await told('NZ', { 'X-Forwarded-For': '8.8.8.8' })
    expect(await countries()).to.include('NZ')
    await told('<b>', { 'X-Forwarded-For': '8.8.8.8' })
    expect(await countries()).to.not.include('<b>')
  })

  it('many first openings at once of one browser are one user', async () => {
    const pwaUserId = randomUUID()
    const { totalUsers } = await analytics()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => upsert({ pwaUserId }, PHONE, `81.9.${at}.1`)),
    )
    expect(answers.filter(({ data }) => data.type === 'insert')).to.have.lengthOf(1)
    expect((await analytics()).totalUsers).to.equal(totalUsers + 1)
  })

  it('rejects an invalid id, and shows statistics only to administrators', async () => {
    expect((await upsert({ pwaUserId: 'x'.repeat(40) })).status).to.equal(400)
    expect((await call(site, 'GET', '/pwa-users/fetch')).status).to.equal(401)
    expect((await call(site, 'GET', '/pwa-users/fetch?days=0', undefined, asAdministrator)).status).to.equal(400)
  })

  it('takes no more than 1000 new ones from one network in a day, and all who are known', async () => {
    await using stack = new AsyncDisposableStack()
    const still = await startPushSite({ now: '2030-01-01T00:00:00Z' })
    stack.defer(() => still.close())
    const open = (pwaUserId: string, address: string) =>
      call(
        still,
        'PUT',
        '/pwa-users/upsert',
        { pwaUserId },
        {
          headers: { 'User-Agent': PHONE, 'X-Forwarded-For': address },
        },
      )
    const known = randomUUID()
    await open(known, '9.9.9.9')
    for (let come = 1; come < 1000; come += 37) {
      await still.clock.advance(60_000)
      const answers = await Promise.all(Array.from({ length: 37 }, () => open(randomUUID(), '9.9.9.9')))
      for (const { status } of answers) expect(status).to.equal(200)
    }
    expect((await open(randomUUID(), '9.9.9.9')).status).to.equal(429)
    expect((await open(known, '9.9.9.9')).data.type).to.equal('update')
    expect((await open(randomUUID(), '8.8.4.4')).status).to.equal(200)
  })
})

describe('GET /pwa/v1/nonce', () => {
  let site: TestHost

  before(async () => {
    site = await startPushSite()
  })
  after(() => site.close())

  it('is a visitor’s, never cached, and good for no administrator', async () => {
    const answer = await site.get(`${ROOT}/nonce`)
    expect(answer.headers.get('cache-control')).to.equal('no-store')
    const { nonce } = JSON.parse(await answer.text()).data
    expect(site.host.auth.verifyNonce(nonce, 'wp_rest', { user: null, session: null })).to.equal(1)
    const refused = await call(site, 'GET', '/pwa-users/fetch', undefined, { headers: { 'X-WP-Nonce': nonce } })
    expect(refused.status).to.equal(401)
  })
})
