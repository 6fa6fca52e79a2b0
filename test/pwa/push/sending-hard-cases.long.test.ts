import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { generateLicenseKeyPair, issueLicense } from '../../../cms/license/index.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { until } from '../../support/until.ts'
import { type PushServer, startPushServer } from './push-service.ts'
import { call, changeSettings, send, startPushSite, subscribe } from './push-site.ts'

const { privateKey, publicKey } = generateLicenseKeyPair()

onEachDatabase('Sending notifications', (databaseUrl) => {
  let site: TestHost
  let push: PushServer
  let at = 0

  before(async () => {
    push = await startPushServer()
    const url = await databaseUrl()
    site = await startPushSite({
      config: { licensePublicKey: publicKey, ...(url !== undefined && { databaseUrl: url }) },
    })
  })
  after(async () => {
    await site.close()
    await push.close()
  })
  afterEach(() =>
    site.host.database.db.withTables<{ pwa_subscriptions: object }>().deleteFrom('pwa_subscriptions').execute(),
  )

  const path = () => `/hard/${++at}`

  it('continues with the next batch, whatever the outcome of one', async () => {
    await changeSettings(site, { pushBatchSize: 2 })
    const paths = Array.from({ length: 7 }, path)
    push.answer(paths[0] ?? '', 403)
    push.answer(paths[3] ?? '', 410)
    for (const one of paths) await subscribe(site, push.origin + one)
    expect((await send(site)).data).to.deep.equal({ sent: 5, failed: 2, removed: 1, total: 7 })
    expect(paths.map((one) => push.of(one).length)).to.deep.equal([1, 1, 1, 1, 1, 1, 1])
  })

  it('leaves out who subscribed for a time that is over', async () => {
    const one = path()
    await subscribe(site, push.origin + one, { expirationTime: Date.now() - 1000 })
    expect((await send(site)).data.total).to.equal(0)
  })

  it('waits until the date of Retry-After', async () => {
    const one = path()
    const date = Math.ceil(Date.now() / 1000 + 2) * 1000
    push.answer(one, { status: 429, headers: { 'Retry-After': new Date(date).toUTCString() } }, 201)
    await subscribe(site, push.origin + one)
    expect((await send(site)).data).to.deep.equal({ sent: 1, failed: 0, removed: 0, total: 1 })
    expect(push.of(one).map(({ time }) => time >= date)).to.deep.equal([false, true])
  })

  it('is sent to the new endpoint of a browser, not to the former one', async () => {
    const [before, after] = [path(), path()]
    const moved = await startPushServer()
    push.answer(before, { status: 503, headers: { 'Retry-After': '2' } }, 404)
    const { subscription } = await subscribe(site, push.origin + before)
    const sending = send(site)
    await until(() => push.of(before).length === 1)
    // The outcome of the first try has to be written, so that it waits for the second.
    const db = site.host.database.db.withTables<{ pwa_deliveries: { state: string } }>()
    await until(
      async () => (await db.selectFrom('pwa_deliveries').select('state').executeTakeFirst())?.state === 'waiting',
    )
    const next = { ...subscription, endpoint: moved.origin + after }
    const update = { ...next, oldEndpoint: subscription.endpoint, auth: subscription.keys.auth }
    expect((await call(site, 'PUT', '/push-subscription/update', update)).status).to.equal(200)
    expect((await sending).data).to.deep.equal({ sent: 1, failed: 0, removed: 0, total: 1 })
    expect([push.of(before).length, moved.of(after).length]).to.deep.equal([1, 1])
    await moved.close()
  })

  it('shows buttons with a license, and refuses those that would run something', async () => {
    const one = path()
    const reader = await subscribe(site, push.origin + one)
    await site.host.license.set(issueLicense({ licensee: 'Ada', plan: 'pro' }, privateKey))
    const withButtons = (...buttons: object[]) =>
      send(site, { notificationTitle: 'x', notificationActionButtons: buttons })
    const button = { text: 'Go', url: '/go/' }
    expect((await withButtons(button, { ...button, url: 'https://example.org/' })).status).to.equal(200)
    expect((await withButtons({ ...button, url: 'javascript:alert(1)' })).code).to.equal('rest_invalid_param')
    expect((await withButtons(button, button, button)).status).to.equal(400)
    const [message] = push.of(one)
    expect(JSON.parse(reader.decrypt(message ?? expect.fail('no message'))).notification.actions).to.deep.equal([
      { action: 'action0', title: 'Go', navigate: `${site.url}/go/` },
      { action: 'action1', title: 'Go', navigate: 'https://example.org/' },
    ])
  })

  it('notifies a customer of an order, and all who watch a product of its price', async () => {
    await changeSettings(site, { pushAutomation: 'on', pushOrderStatus: 'on', pushPriceDrop: 'on' })
    const [one, other] = [path(), path()]
    const customer = await subscribe(site, push.origin + one)
    await subscribe(site, push.origin + other)
    const { endpoint, keys } = customer.subscription
    const { data } = await call(site, 'POST', '/push-subscription/sync', { endpoint, keys }, { as: 'subscriber' })
    const order = { number: '1001', userId: data.userId, status: 'Shipped', url: '/order/1001/' }
    await site.host.hooks.doActionAsync('pwa_order_status', order)
    await site.host.hooks.doActionAsync('pwa_order_status', order)
    await until(() => push.of(one).length === 1)
    const [message] = push.of(one)
    const { notification } = JSON.parse(customer.decrypt(message ?? expect.fail('no message')))
    expect(notification).to.deep.include({ title: 'Order 1001', body: 'Shipped', navigate: `${site.url}/order/1001/` })

    const lamp = { productId: 7, name: 'Lamp', url: '/lamp/' }
    const watchers = Array.from({ length: 40_000 }, (_, id) => 1_000_000 + id)
    await site.host.hooks.doActionAsync('pwa_price_drop', { ...lamp, userIds: [] })
    await site.host.hooks.doActionAsync('pwa_price_drop', { ...lamp, userIds: [...watchers, data.userId, data.userId] })
    await until(async () => (await site.host.jobs.list({ type: 'pwa-notification', state: 'running' })).length === 0)
    expect(await site.host.jobs.list({ type: 'pwa-notification', state: 'failed' })).to.deep.equal([])
    expect([push.of(one).length, push.of(other).length]).to.deep.equal([2, 0])
  })

  it('announces a scheduled post when it is published', async () => {
    await changeSettings(site, { pushAutomation: 'on', pushNewContent: 'on' })
    const one = path()
    const reader = await subscribe(site, push.origin + one)
    const date = new Date(Date.now() + 1500).toISOString().slice(0, 19)
    await site.host.content.posts.insert({ title: 'Soon', status: 'future', date })
    expect(push.of(one)).to.have.lengthOf(0)
    await until(() => push.of(one).length === 1)
    const [message] = push.of(one)
    expect(JSON.parse(reader.decrypt(message ?? expect.fail('no message'))).notification.title).to.equal('Soon')
    await changeSettings(site, { pushNewContent: 'off' })
  })

  it('limits the number of push services, and still accepts subscribers of known ones', async () => {
    const answers: Awaited<ReturnType<typeof call>>[] = []
    const { keys } = (await subscribe(site, 'https://push-0.example.com/1')).subscription
    const add = (endpoint: string) => call(site, 'POST', '/push-subscription/add', { endpoint, keys })
    for (let n = 1; n <= 100; n++) answers.push(await add(`https://push-${n}.example.com/1`))
    expect(answers.filter(({ status }) => status === 201)).to.have.lengthOf(99)
    expect(answers.at(-1)).to.deep.include({ status: 503, code: 'too_many_subscriptions' })
    expect((await add('https://push-7.example.com/2')).status).to.equal(201)
  })
})

describe('Sending notifications, when a host name has come to resolve to this machine', () => {
  it('calls no push service', async () => {
    const push = await startPushServer()
    const site = await startPushSite({ config: { environment: 'production' } })
    await subscribe(site, 'https://push.example.com/1')
    // Its address at the time of the subscription was another one.
    const origin = push.origin.replace('127.0.0.1', 'localhost')
    const db = site.host.database.db.withTables<{ pwa_subscriptions: { endpoint: string; origin: string } }>()
    await db
      .updateTable('pwa_subscriptions')
      .set({ endpoint: `${origin}/1`, origin })
      .execute()
    const { data } = await send(site)
    const { connections } = push
    await site.close()
    await push.close()
    expect(data).to.deep.equal({ sent: 0, failed: 1, removed: 0, total: 1 })
    expect(connections).to.equal(0)
  })
})
