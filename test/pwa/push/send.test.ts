import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { type PushServer, startPushServer } from './push-service.ts'
import { asAdministrator, call, send, startPushSite, subscribe } from './push-site.ts'

describe('POST /pwa/v1/push-subscribers/send', () => {
  let site: TestHost
  let push: PushServer

  before(async () => {
    push = await startPushServer()
    site = await startPushSite()
  })
  after(async () => {
    await site.close()
    await push.close()
  })

  const subscribers = async () => (await call(site, 'GET', '/push-subscribers/fetch', undefined, asAdministrator)).data

  it('returns zeros if there are no subscribers', async () => {
    expect(await send(site)).to.deep.include({ status: 200, data: { sent: 0, failed: 0, removed: 0, total: 0 } })
  })

  it('is for administrators', async () => {
    const body = { notificationData: { notificationTitle: 'x' } }
    expect((await call(site, 'POST', '/push-subscribers/send', body)).status).to.equal(401)
    expect((await call(site, 'POST', '/push-subscribers/send', body, { as: 'editor' })).status).to.equal(403)
  })

  it('each subscriber gets exactly the notification, encrypted for them, in both encodings', async () => {
    const one = await subscribe(site, `${push.origin}/one`)
    const other = await subscribe(site, `${push.origin}/other`, { contentEncoding: 'aesgcm' })
    const { data } = await send(site, {
      notificationTitle: 'Café “Ünal” 🍰',
      notificationMessage: 'Open again',
      notificationUrl: '/hello-world/',
      notificationPersistent: 'on',
      notificationVibration: 'on',
    })
    expect(data).to.deep.equal({ sent: 2, failed: 0, removed: 0, total: 2 })
    expect(push.refused).to.deep.equal([])
    const [first] = push.of('/one')
    const [second] = push.of('/other')
    const text = one.decrypt(first ?? fail())
    expect(other.decrypt(second ?? fail())).to.equal(text)
    const { web_push, notification } = JSON.parse(text)
    expect(web_push).to.equal(8030)
    expect(notification).to.deep.include({
      title: 'Café “Ünal” 🍰',
      body: 'Open again',
      navigate: `${site.url}/hello-world/`,
      requireInteraction: true,
      vibrate: [200, 100, 200],
      lang: 'en-US',
    })
    expect(() => one.decrypt(second ?? fail())).to.throw()
  })

  it('counts each outcome exactly, and removes subscriptions only for 404 and 410', async () => {
    const past = new Date(Date.now() - 5000).toUTCString()
    const cases = {
      '/200': [200],
      '/201': [201],
      '/202': [202],
      '/400': [400],
      '/401': [401],
      '/403': [403],
      '/404': [404],
      '/410': [410],
      '/413': [413],
      '/301': [{ status: 301, headers: { Location: `${push.origin}/redirected` } }],
      '/429-seconds': [{ status: 429, headers: { 'Retry-After': '1' } }, 201],
      '/429-date': [{ status: 429, headers: { 'Retry-After': past } }, 201],
      '/500': [500],
      '/503-then-201': [503, 201],
      '/drop': ['drop'],
      '/drop-then-201': ['drop', 201],
    } as const
    // Each on a push service of its own: one that fails too often is left alone for a while.
    const servers = await Promise.all(Object.keys(cases).map(startPushServer))
    try {
      const before = (await subscribers()).total
      for (const [at, [path, answers]] of Object.entries(cases).entries()) {
        servers[at]?.answer(path, ...answers)
        await subscribe(site, `${servers[at]?.origin}${path}`)
      }
      const { status, data } = await send(site)
      expect(status).to.equal(200)
      expect(data).to.deep.equal({ sent: 7 + before, failed: 9, removed: 2, total: 16 + before })
      expect((await subscribers()).total).to.equal(14 + before)
      const tries = (path: keyof typeof cases) => servers[Object.keys(cases).indexOf(path)]?.of(path).length
      for (const path of ['/400', '/401', '/403', '/404', '/410', '/413', '/301'] as const)
        expect(tries(path), path).to.equal(1)
      for (const path of ['/500', '/drop'] as const) expect(tries(path), path).to.equal(3)
      for (const path of ['/429-seconds', '/429-date', '/503-then-201'] as const) expect(tries(path), path).to.equal(2)
      const [asked, again] = servers[Object.keys(cases).indexOf('/429-seconds')]?.messages ?? []
      expect((again?.time ?? 0) - (asked?.time ?? 0)).to.be.at.least(1000)
      expect(servers.flatMap(({ refused }) => refused)).to.deep.equal([])
      expect(servers.flatMap((server) => server.of('/redirected'))).to.have.lengthOf(0)
    } finally {
      await Promise.all(servers.map((server) => server.close()))
    }
  })
})

function fail(): never {
  throw new Error('no message came')
}
