import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { asAdministrator, call, startPushSite, subscribe } from './push-site.ts'
import { createSubscriber } from './subscriber.ts'

const ENDPOINT = 'https://push.example.com/send/'

describe('pwa/v1/push-subscription', () => {
  let site: TestHost
  let at = 0

  before(async () => {
    site = await startPushSite()
  })
  after(() => site.close())

  const endpoint = () => `${ENDPOINT}${++at}`
  const add = (body: object, as?: string) => call(site, 'POST', '/push-subscription/add', body, as ? { as } : {})
  const known = async () => (await call(site, 'GET', '/push-subscribers/fetch', undefined, asAdministrator)).data
  const wrong = () => createSubscriber('https://push.example.com/x').subscription.keys.auth

  describe('add', () => {
    it('takes what the browser made, and answers 201 and an id; a second time 200 and the same id', async () => {
      const { subscription } = createSubscriber(endpoint())
      const first = await add(subscription)
      expect(first.status).to.equal(201)
      expect(first.data.id).to.be.a('number')
      expect(await add(subscription)).to.deep.include({ status: 200, data: first.data })
    })

    it('takes the flat shape, and base64 of either alphabet', async () => {
      const { keys } = createSubscriber('').subscription
      const plain = (key: string) => Buffer.from(key, 'base64url').toString('base64')
      const flat = { endpoint: endpoint(), p256dhKey: plain(keys.p256dh), authKey: plain(keys.auth) }
      expect((await add({ ...flat, contentEncoding: 'aesgcm' })).status).to.equal(201)
    })

    it('many at once of one browser are one subscription', async () => {
      const { subscription } = createSubscriber(endpoint())
      const before = (await known()).total
      const answers = await Promise.all(Array.from({ length: 5 }, () => add(subscription)))
      expect(answers.filter(({ status }) => status === 201)).to.have.lengthOf(1)
      expect((await known()).total).to.equal(before + 1)
    })

    it('rejects invalid endpoints', async () => {
      const { subscription } = createSubscriber('')
      for (const bad of [
        'http://push.example.com/1',
        'https://user:password@push.example.com/1',
        'https://10.0.0.1/1',
        'https://169.254.169.254/latest/meta-data',
        'https://[fd00::1]/1',
        'https://[::ffff:10.0.0.1]/1',
        'https://0x0a000001/1',
        'https://push.example.com:8443/1',
        `https://push.example.com/${'x'.repeat(2100)}`,
        'file:///etc/passwd',
        'nonsense',
      ]) {
        const { status, code } = await add({ ...subscription, endpoint: bad })
        expect({ status, code }, bad).to.deep.equal({ status: 400, code: 'rest_invalid_param' })
      }
    })

    it('refuses keys of the wrong length or off the curve', async () => {
      const { keys } = createSubscriber('').subscription
      const bytes = (length: number, first = 4) => Buffer.alloc(length, 1).fill(first, 0, 1).toString('base64url')
      for (const bad of [
        { ...keys, p256dh: bytes(64) },
        { ...keys, p256dh: bytes(65) },
        { ...keys, p256dh: bytes(33, 2) },
        { ...keys, auth: bytes(15) },
        { ...keys, auth: bytes(17) },
        { ...keys, auth: '!' },
      ])
        expect((await add({ endpoint: endpoint(), keys: bad })).status, JSON.stringify(bad)).to.equal(400)
      expect((await add({ endpoint: endpoint() })).code).to.equal('rest_missing_callback_param')
    })

    it('does not give a known subscription other keys', async () => {
      const { subscription } = await subscribe(site, endpoint())
      const stranger = createSubscriber(subscription.endpoint)
      expect(await add(stranger.subscription)).to.deep.include({ status: 403, code: 'subscription_forbidden' })
    })
  })

  describe('update', () => {
    const update = (body: object, as?: string) => call(site, 'PUT', '/push-subscription/update', body, as ? { as } : {})

    it('who knows the old key puts a new subscription in its place', async () => {
      const { subscription } = await subscribe(site, endpoint())
      const next = createSubscriber(endpoint()).subscription
      const { auth } = subscription.keys
      expect((await update({ oldEndpoint: subscription.endpoint, auth, ...next })).status).to.equal(200)
      expect((await add(next)).status).to.equal(200)
    })

    it('so does who shows it as the key of the new one, signed in or not', async () => {
      for (const as of [undefined, 'subscriber']) {
        const { endpoint: oldEndpoint, keys } = (await subscribe(site, endpoint())).subscription
        expect((await update({ oldEndpoint, endpoint: endpoint(), keys }, as)).status, as).to.equal(200)
      }
    })

    it('a stranger does not', async () => {
      const { subscription } = await subscribe(site, endpoint())
      const next = createSubscriber(endpoint()).subscription
      const old = { oldEndpoint: subscription.endpoint }
      expect((await update({ ...old, ...next })).status).to.equal(403)
      expect((await update({ ...old, ...next, auth: wrong() })).status).to.equal(403)
      expect((await update({ ...old, ...next }, 'subscriber')).status).to.equal(403)
      expect((await add(subscription)).status).to.equal(200)
    })

    it('does not move one subscription over another one of a stranger', async () => {
      const mine = (await subscribe(site, endpoint())).subscription
      const theirs = (await subscribe(site, endpoint())).subscription
      const moved = {
        oldEndpoint: mine.endpoint,
        auth: mine.keys.auth,
        ...createSubscriber(theirs.endpoint).subscription,
      }
      expect((await update(moved)).status).to.equal(403)
      expect((await add(theirs)).status).to.equal(200)
    })

    it('answers 404 for one that is not known', async () => {
      const next = createSubscriber(endpoint()).subscription
      const { status, code } = await update({ oldEndpoint: endpoint(), ...next })
      expect({ status, code }).to.deep.equal({ status: 404, code: 'subscription_not_found' })
    })
  })

  describe('sync', () => {
    const sync = (body: object, as?: string) => call(site, 'POST', '/push-subscription/sync', body, as ? { as } : {})

    it('binds it to the logged-in user, and with its key unbinds it', async () => {
      const { endpoint: where, keys } = (await subscribe(site, endpoint())).subscription
      const bound = await sync({ endpoint: where }, 'subscriber')
      expect(bound.status).to.equal(200)
      expect(bound.data.userId).to.be.a('number')
      expect((await sync({ endpoint: where, auth: keys.auth })).data.userId).to.equal(null)
    })

    it('does not unbind it without its key', async () => {
      const { endpoint: where, keys } = (await subscribe(site, endpoint())).subscription
      await sync({ endpoint: where, keys }, 'subscriber')
      expect((await sync({ endpoint: where }, 'author')).status).to.equal(403)
      expect((await sync({ endpoint: where })).status).to.equal(403)
      expect((await sync({ endpoint: where, auth: wrong() }, 'subscriber')).status).to.equal(403)
    })
  })

  describe('remove', () => {
    const remove = (body: object, as?: string) =>
      call(site, 'DELETE', '/push-subscription/remove', body, as ? { as } : {})

    it('is for who knows its key, or whose it is', async () => {
      const one = (await subscribe(site, endpoint())).subscription
      expect((await remove({ endpoint: one.endpoint })).status).to.equal(403)
      expect((await remove({ endpoint: one.endpoint, auth: wrong() })).status).to.equal(403)
      expect((await remove({ endpoint: one.endpoint, auth: one.keys.auth })).data).to.deep.equal({ removed: true })
      const other = createSubscriber(endpoint()).subscription
      await add(other, 'subscriber')
      expect((await remove({ endpoint: other.endpoint }, 'author')).status).to.equal(403)
      expect((await remove({ endpoint: other.endpoint }, 'subscriber')).status).to.equal(200)
    })

    it('who bound one without its key can’t remove it', async () => {
      const { endpoint: where } = (await subscribe(site, endpoint())).subscription
      await call(site, 'POST', '/push-subscription/sync', { endpoint: where }, { as: 'author' })
      expect((await remove({ endpoint: where }, 'author')).status).to.equal(403)
    })

    it('by its id for administrators only', async () => {
      const { data } = await add(createSubscriber(endpoint()).subscription)
      expect((await remove(data)).status).to.equal(401)
      expect((await remove(data, 'editor')).status).to.equal(403)
      expect((await remove(data, 'administrator')).status).to.equal(200)
      expect((await remove(data, 'administrator')).code).to.equal('subscription_not_found')
    })
  })

  it('lists subscribers without endpoints and keys, to administrators', async () => {
    expect((await call(site, 'GET', '/push-subscribers/fetch')).status).to.equal(401)
    const { items } = await known()
    for (const item of items)
      expect(item).to.have.all.keys('id', 'country', 'operatingSystem', 'browser', 'device', 'date', 'userId')
  })

  it('a network that calls too often has to wait', async () => {
    const answers: number[] = []
    const headers = { 'X-Forwarded-For': '81.3.0.1' }
    for (let more = 0; more < 150 && !answers.includes(429); more++)
      answers.push((await call(site, 'POST', '/push-subscription/sync', { endpoint: endpoint() }, { headers })).status)
    expect(answers).to.include(429)
  })
})
