import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { onEachDatabase } from '../../support/databases.ts'
import { type PushServer, startPushServer } from './push-service.ts'
import { changeSettings, send, startPushSite, subscribe } from './push-site.ts'
import type { Subscriber } from './subscriber.ts'

onEachDatabase('A notification to many', (databaseUrl) => {
  let site: TestHost
  let push: PushServer
  const subscribers = new Map<string, Subscriber>()

  before(async () => {
    push = await startPushServer()
    site = await startPushSite({ config: { databaseUrl: await databaseUrl() } })
    // More than are encrypted in the process itself.
    for (let at = 0; at < 40; at++) {
      const contentEncoding = at % 3 === 0 ? 'aesgcm' : 'aes128gcm'
      subscribers.set(`/${at}`, await subscribe(site, `${push.origin}/${at}`, { contentEncoding }))
    }
  })
  after(async () => {
    await site.close()
    await push.close()
  })

  it('reaches each once, in its own encoding', async () => {
    expect((await send(site)).data).to.deep.equal({ sent: 40, failed: 0, removed: 0, total: 40 })
    for (const [path, subscriber] of subscribers) {
      const [message, ...more] = push.of(path)
      expect(more).to.deep.equal([])
      expect(JSON.parse(message ? subscriber.decrypt(message) : '').notification.title).to.equal('Hello')
    }
    expect(push.refused).to.deep.equal([])
  })

  it('reaches each once, however few are read at a time', async () => {
    await changeSettings(site, { pushBatchSize: 3 })
    push.answer('/7', 503, 201)
    expect((await send(site)).data).to.deep.equal({ sent: 40, failed: 0, removed: 0, total: 40 })
    for (const path of subscribers.keys()) expect(push.of(path), path).to.have.lengthOf(path === '/7' ? 3 : 2)
  })

  it('counts failures and removes expired subscriptions', async () => {
    push.answer('/1', 410)
    push.answer('/2', 404)
    push.answer('/3', 400)
    expect((await send(site)).data).to.deep.equal({ sent: 37, failed: 3, removed: 2, total: 40 })
    expect((await send(site)).data).to.deep.equal({ sent: 37, failed: 1, removed: 0, total: 38 })
  })
})
