import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { type PushServer, startPushServer } from './push-service.ts'
import { send, startPushSite, subscribe } from './push-site.ts'
import type { Subscriber } from './subscriber.ts'

describe('Content of a notification, and its payload', () => {
  let site: TestHost
  let push: PushServer
  let reader: Subscriber

  before(async () => {
    push = await startPushServer()
    site = await startPushSite()
    reader = await subscribe(site, `${push.origin}/reader`)
  })
  after(async () => {
    await site.close()
    await push.close()
  })

  const received = () => reader.decrypt(push.messages.at(-1) ?? expect.fail('no message came'))

  it('a text that is too long is cut between characters, below 3 KB', async () => {
    const family = '👩‍👩‍👧‍👦'
    await send(site, { notificationTitle: 'Long', notificationMessage: family.repeat(400) })
    expect(Buffer.byteLength(received())).to.be.within(2900, 3072)
    const { body } = JSON.parse(received()).notification
    expect(body.endsWith('…')).to.equal(true)
    expect(body.slice(0, -1).replaceAll(family, '')).to.equal('')
  })

  it('rejects invalid notifications', async () => {
    const title = { notificationTitle: 'x' }
    for (const bad of [
      {},
      { notificationTitle: ' ' },
      { ...title, notificationUrl: 'javascript:alert(1)' },
      { ...title, notificationUrl: 'data:text/html,x' },
      { ...title, notificationPersistent: 'yes' },
      { ...title, notificationImage: 'x' },
      { ...title, notificationActionButtons: Array.from({ length: 3 }, () => ({ text: 'a', url: '/' })) },
    ]) {
      const { status, code } = await send(site, bad)
      expect({ status, code }, JSON.stringify(bad)).to.deep.equal({ status: 400, code: 'rest_invalid_param' })
    }
    expect((await send(site, { ...title, notificationImage: 999 })).code).to.equal('attachment_not_found')
  })

  it('leaves buttons out without a license', async () => {
    await send(site, { notificationTitle: 'x', notificationActionButtons: [{ text: 'Go', url: '/go/' }] })
    expect(JSON.parse(received()).notification).to.not.have.property('actions')
  })

  it('an extension may change it, but an invalid result is ignored', async () => {
    const undo = site.host.hooks.addFilter('pwa_push_payload', (payload) => ({
      ...payload,
      notification: { ...payload.notification, title: 'Changed' },
    }))
    await send(site)
    expect(JSON.parse(received()).notification.title).to.equal('Changed')
    undo()
    const other = site.host.hooks.addFilter('pwa_push_payload', (payload) => ({
      ...payload,
      notification: { ...payload.notification, navigate: 'javascript:alert(1)' },
    }))
    await send(site)
    other()
    expect(JSON.parse(received()).notification.navigate).to.equal(`${site.url}/`)
  })

  it('one signature serves many messages, and connections are kept', async () => {
    for (let at = 0; at < 5; at++) await subscribe(site, `${push.origin}/more-${at}`)
    const { connections } = push
    await send(site)
    await send(site)
    expect(new Set(push.messages.map(({ headers }) => headers.authorization)).size).to.equal(1)
    expect(push.connections - connections).to.be.at.most(6)
  })
})
