import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { until } from '../../support/until.ts'
import { type PushServer, startPushServer } from './push-service.ts'
import { asAdministrator, call, changeSettings, send, startPushSite, subscribe } from './push-site.ts'

describe('A sending', () => {
  let site: TestHost
  let push: PushServer

  beforeEach(async () => {
    push = await startPushServer()
    site = await startPushSite()
  })
  afterEach(async () => {
    await site.close()
    await push.close()
  })

  const job = async () => {
    const { db } = site.host.database
    return db
      .selectFrom('jobs')
      .select(['id', 'attempts', 'message'])
      .where('type', '=', 'pwa-notification')
      .executeTakeFirst()
  }
  const progress = async () =>
    (await call(site, 'GET', `/push-subscribers/progress?jobId=${(await job())?.id}`, undefined, asAdministrator)).data

  it('that is interrupted by deactivating the service continues afterwards, without repeating messages in flight', async () => {
    for (const path of ['/0', '/1', '/2']) {
      push.answer(path, 'hang')
      await subscribe(site, push.origin + path)
    }
    await changeSettings(site, { pushAutomation: 'on', pushNewContent: 'on' })
    await site.host.content.posts.insert({ title: 'News', content: 'x', status: 'publish' })
    await until(() => push.messages.length === 3)
    const deactivated = site.host.extensions.deactivate('pwa')
    await until(async () => (await site.get('/wp-json/pwa/v1/nonce')).status === 404)
    push.release()
    await deactivated
    await site.host.extensions.activate('pwa')
    await until(async () => (await progress()).state === 'complete')
    expect(await progress()).to.deep.include({ sent: 3, failed: 0, removed: 0, total: 3 })
    expect(push.messages).to.have.lengthOf(3)
  })

  it('ends soon after a slow answer has come', async () => {
    push.answer('/0', 'hang')
    await subscribe(site, `${push.origin}/0`)
    const ended = send(site)
    await until(async () => (await job())?.message === 'Notification sent to 0 of 1 subscribers.')
    push.release()
    expect(await ended).to.deep.include({ status: 200, data: { sent: 1, failed: 0, removed: 0, total: 1 } })
  })

  it('whose key pair cannot be read loses no subscriber, and continues when it is readable again', async () => {
    await subscribe(site, `${push.origin}/0`)
    await site.host.extensions.deactivate('pwa')
    const file = join(site.host.config.siteDir, 'pwa', 'vapid.json')
    const keys = await readFile(file)
    await writeFile(file, 'damaged')
    await site.host.extensions.activate('pwa')
    const ended = send(site)
    await until(async () => Number((await job())?.attempts) > 0)
    await writeFile(file, keys)
    expect((await ended).data).to.deep.equal({ sent: 1, failed: 0, removed: 0, total: 1 })
  })
})
