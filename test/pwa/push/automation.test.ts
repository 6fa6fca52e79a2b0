import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { createCurrentUser } from '../../../core/auth/index.ts'
import { until } from '../../support/until.ts'
import { type PushServer, startPushServer } from './push-service.ts'
import { call, changeSettings, startPushSite, subscribe } from './push-site.ts'
import type { Subscriber } from './subscriber.ts'

describe('Automatic notifications', () => {
  let site: TestHost
  let push: PushServer
  let reader: Subscriber

  const ALL = { pushNewContent: 'on', pushPriceDrop: 'on', pushBackInStock: 'on', pushOrderStatus: 'on' }
  const titles = (path = '/reader', browser = reader) =>
    push.of(path).map((message) => JSON.parse(browser.decrypt(message)).notification.title)
  const notifications = async () => (await site.host.jobs.list({ type: 'pwa-notification' })).length

  before(async () => {
    push = await startPushServer()
    site = await startPushSite()
    reader = await subscribe(site, `${push.origin}/reader`)
    await changeSettings(site, { pushAutomation: 'on', ...ALL })
  })
  after(async () => {
    await site.close()
    await push.close()
  })

  it('a new subscriber is welcomed once, even who leaves and comes back', async () => {
    await changeSettings(site, { pushWelcome: 'on', pushWelcomeTitle: 'Hi there' })
    const guest = await subscribe(site, `${push.origin}/guest`)
    await until(() => push.of('/guest').length === 1)
    const { endpoint, keys } = guest.subscription
    await call(site, 'DELETE', '/push-subscription/remove', { endpoint, auth: keys.auth })
    await call(site, 'POST', '/push-subscription/add', guest.subscription)
    await changeSettings(site, { pushWelcome: 'off' })
    const [message] = push.of('/guest')
    expect(JSON.parse(guest.decrypt(message ?? expect.fail('no message'))).notification.title).to.equal('Hi there')
    await until(async () => (await site.host.jobs.list({ type: 'pwa-notification', state: 'running' })).length === 0)
    expect(push.of('/guest')).to.have.lengthOf(1)
    await call(site, 'DELETE', '/push-subscription/remove', { endpoint, auth: keys.auth })
  })

  it('a post is announced once, when it is published', async () => {
    const { posts } = site.host.content
    const draft = await posts.insert({ title: 'News &amp; more', content: '<p>What happened</p>', status: 'draft' })
    await posts.update(draft.id, { status: 'publish' })
    await until(() => titles().length === 1)
    await posts.update(draft.id, { content: 'What else happened' })
    await posts.update(draft.id, { status: 'draft' })
    await posts.update(draft.id, { status: 'publish' })
    const second = await posts.insert({ title: 'Second', content: 'x', status: 'publish' })
    await until(() => titles().length === 2)
    expect(titles()).to.deep.equal(['News & more', 'Second'])
    const [message] = push.of('/reader')
    const { notification } = JSON.parse(reader.decrypt(message ?? expect.fail('no message')))
    expect(notification.navigate).to.equal(site.host.content.link((await posts.get(draft.id)) ?? second))
  })

  it('not for old posts, protected posts or other types', async () => {
    const { posts } = site.host.content
    const before = titles().length
    await posts.insert({ title: 'Old', status: 'publish', date: '2020-01-01T00:00:00' })
    await posts.insert({ title: 'Protected', status: 'publish', password: 'x' })
    await posts.insert({ title: 'Page', type: 'page', status: 'publish' })
    await posts.insert({ title: 'Last', status: 'publish' })
    await until(() => titles().length > before)
    expect(titles().slice(before)).to.deep.equal(['Last'])
  })

  it('a post is announced as visitors see it, whichever user publishes it', async () => {
    const { isUserLoggedIn } = createCurrentUser(site.host.auth)
    const undo = site.host.hooks.addFilter('the_title', (title) => (isUserLoggedIn() ? `${title}, for members` : title))
    const before = titles().length
    const body = { title: 'By an editor', status: 'publish' }
    const answer = await site.request('/wp-json/wp/v2/posts', { method: 'POST', as: 'editor', body })
    expect(JSON.stringify(await answer.json())).to.contain('By an editor, for members')
    await until(() => titles().length > before)
    undo()
    expect(titles().slice(before)).to.deep.equal(['By an editor'])
  })

  it('a post is announced even if the process ends right after its publication', async () => {
    const before = await notifications()
    await site.host.content.posts.insert({ title: 'And off', status: 'publish' })
    expect(await notifications()).to.equal(before + 1)
    await until(() => titles().includes('And off'))
  })

  it('a store announces prices and stock to all subscribers, an order to its customer', async () => {
    const before = titles().length
    const theirs = await subscribe(site, `${push.origin}/customer`)
    const { endpoint, keys } = theirs.subscription
    const as = { as: 'subscriber' }
    const { data } = await call(site, 'POST', '/push-subscription/sync', { endpoint, keys }, as)
    const lamp = { productId: 7, name: 'Lamp', url: '/product/lamp/', price: '€ 12.90' }
    await site.host.hooks.doActionAsync('pwa_order_status', {
      ...{ number: '1001', userId: data.userId, status: 'Shipped', url: '/order/1001/' },
    })
    await site.host.hooks.doActionAsync('pwa_price_drop', lamp)
    await site.host.hooks.doActionAsync('pwa_back_in_stock', lamp)
    await until(() => titles().length === before + 2 && titles('/customer', theirs).length === 3)
    expect(titles().slice(before)).to.have.members(['Price drop', 'Back in stock'])
    expect(titles('/customer', theirs)).to.include('Order 1001')
  })

  it('nothing where the main switch is off', async () => {
    await changeSettings(site, { pushAutomation: 'off' })
    const before = await notifications()
    await site.host.content.posts.insert({ title: 'Quiet', status: 'publish' })
    expect(await notifications()).to.equal(before)
  })
})
