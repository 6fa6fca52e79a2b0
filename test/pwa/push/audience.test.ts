import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { onEachDatabase } from '../../support/databases.ts'
import { until } from '../../support/until.ts'
import { type PushServer, startPushServer } from './push-service.ts'
import { asAdministrator, call, startPushSite } from './push-site.ts'
import { createSubscriber } from './subscriber.ts'

const PHONE =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0'

onEachDatabase('Subscribers of a site, and some of them', (databaseUrl) => {
  let site: TestHost
  let push: PushServer

  before(async () => {
    push = await startPushServer()
    const url = await databaseUrl()
    site = await startPushSite(url === undefined ? {} : { config: { databaseUrl: url } })
    await add('/phone-1', PHONE)
    await add('/phone-2', PHONE)
    await add('/desk', LINUX)
  })
  after(async () => {
    await site.close()
    await push.close()
  })

  const admin = (method: string, path: string, body?: unknown) => call(site, method, path, body, asAdministrator)
  const add = (path: string, userAgent: string) =>
    call(site, 'POST', '/push-subscription/add', createSubscriber(push.origin + path).subscription, {
      headers: { 'User-Agent': userAgent },
    })
  const notificationData = { notificationTitle: 'For some', notificationMessage: 'Only them' }
  const sendings = async () => (await admin('GET', '/push-subscribers/notifications')).data.items

  it('are listed with their properties, and counted', async () => {
    const total = async (query: string) => (await admin('GET', `/push-subscribers/fetch?${query}`)).data.total
    expect(await total('browser=Chrome&device=Phone')).to.equal(2)
    expect(await total('browser=Firefox&signedIn=false')).to.equal(1)
    expect(await total('signedIn=true')).to.equal(0)
    const { data } = await admin('GET', '/push-subscribers/summary?days=7')
    expect(data.total).to.equal(3)
    expect(data.browsers).to.deep.equal([
      { name: 'Chrome', count: 2 },
      { name: 'Firefox', count: 1 },
    ])
    expect(data.devices[0]).to.deep.equal({ name: 'Phone', count: 2 })
    expect(data.daily).to.have.length(7)
    expect(data.daily.at(-1)).to.deep.equal({ date: new Date().toISOString().slice(0, 10), count: 3 })
  })

  it('get what is for them, and others do not', async () => {
    const body = { notificationData, audience: { device: 'Phone' } }
    expect((await admin('POST', '/push-subscribers/send', body)).data).to.include({ sent: 2, total: 2 })
    expect(push.of('/phone-1')).to.have.length(1)
    expect(push.of('/desk')).to.have.length(0)
  })

  it('are sent to in the background, and a list shows notifications with their progress', async () => {
    const { status, data } = await admin('POST', '/push-subscribers/send', { notificationData, wait: false })
    expect(status).to.equal(202)
    const progress = () => admin('GET', `/push-subscribers/progress?jobId=${data.jobId}`)
    await until(async () => (await progress()).data.state === 'complete')
    const [last, before] = await sendings()
    expect(last).to.deep.include({
      ...{ jobId: data.jobId, title: 'For some', message: 'Only them', audience: 'all', automatic: false },
      ...{ state: 'complete', percent: 100, total: 3, sent: 3, failed: 0, removed: 0 },
    })
    expect(before).to.deep.include({ audience: 'matching', total: 2 })
  })

  it('get nothing any more once a sending is cancelled', async () => {
    push.answer('/phone-2', { status: 429, headers: { 'Retry-After': '600' } })
    const { data } = await admin('POST', '/push-subscribers/send', { notificationData, wait: false })
    await until(() => push.of('/phone-2').length > 2)
    expect((await admin('POST', '/push-subscribers/cancel', { jobId: data.jobId })).data.state).to.equal('cancelled')
    await until(async () => {
      const [{ sent, failed }] = await sendings()
      return sent + failed === 3
    })
    expect((await sendings())[0]).to.deep.include({ state: 'cancelled', sent: 2, failed: 1 })
    expect((await admin('POST', '/push-subscribers/cancel', { jobId: 'nothing' })).status).to.equal(404)
  })

  it('are an administrator’s to see', async () => {
    for (const path of ['summary', 'notifications', 'sendings'])
      expect((await call(site, 'GET', `/push-subscribers/${path}`, undefined, { as: 'editor' })).status).to.equal(403)
    const body = { jobId: 'nothing' }
    expect((await call(site, 'POST', '/push-subscribers/cancel', body, { as: 'editor' })).status).to.equal(403)
  })
})
