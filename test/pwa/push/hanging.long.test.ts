import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { until } from '../../support/until.ts'
import { type Answer, type PushServer, startPushServer } from './push-service.ts'
import { changeSettings, send, startPushSite, subscribe } from './push-site.ts'

describe('A push service that hangs', () => {
  let site: TestHost
  let well: PushServer
  let dead: PushServer

  before(async () => {
    well = await startPushServer()
    dead = await startPushServer()
    site = await startPushSite()
  })
  after(async () => {
    await site.close()
    await well.close()
    await dead.close()
  })

  it('does not hold up the others, and gets its own when it answers again', async () => {
    for (let at = 0; at < 10; at++) {
      await subscribe(site, `${well.origin}/${at}`)
      await subscribe(site, `${dead.origin}/${at}`)
      dead.answer(`/${at}`, 'hang')
    }
    let hasEnded = false
    const ended = send(site).then((answer) => {
      hasEnded = true
      return answer
    })
    await until(() => well.messages.length === 10)
    expect(hasEnded).to.equal(false)
    expect(dead.messages.length).to.be.at.most(8)
    for (let at = 0; at < 10; at++) dead.answer(`/${at}`, 201)
    expect((await ended).data).to.deep.equal({ sent: 20, failed: 0, removed: 0, total: 20 })
    expect(well.messages).to.have.lengthOf(10)
  })

  it('for some subscribers, and fails for others, has exact counts within the answer', async () => {
    const service = await startPushServer()
    const other = await startPushSite()
    const soon = new Date(Date.now() + 2000).toUTCString()
    const cases: Readonly<Record<string, readonly Answer[]>> = {
      ...{ '/200': [200], '/201': [201], '/403': [403], '/404': [404], '/410': [410], '/413': [413] },
      '/429-seconds': [{ status: 429, headers: { 'Retry-After': '1' } }, 201],
      '/429-date': [{ status: 429, headers: { 'Retry-After': soon } }, 201],
      ...{ '/500': [500], '/silent': ['hang'], '/dropped': ['drop'], '/well': [201] },
    }
    for (const [path, answers] of Object.entries(cases)) {
      service.answer(path, ...answers)
      await subscribe(other, service.origin + path)
    }
    const { status, data } = await send(other)
    await other.close()
    await service.close()
    expect({ status, data }).to.deep.equal({ status: 200, data: { sent: 5, failed: 7, removed: 2, total: 12 } })
    const tries = (path: string) => service.of(path).length
    expect(['/500', '/silent', '/dropped'].map(tries)).to.deep.equal([3, 3, 3])
    expect(['/403', '/404', '/410', '/413', '/well'].map(tries)).to.deep.equal([1, 1, 1, 1, 1])
  })
})

describe('A push service that asks for a pause', () => {
  it('gets it, without the site looking all the while whether it is over', async () => {
    const push = await startPushServer()
    const site = await startPushSite()
    try {
      for (let at = 0; at < 20; at++) {
        push.answer(`/${at}`, { status: 429, headers: { 'Retry-After': '3600' } })
        await subscribe(site, `${push.origin}/${at}`)
      }
      const { posts } = site.host.content
      await changeSettings(site, { pushAutomation: 'on', pushNewContent: 'on' })
      await posts.insert({ title: 'News', content: 'x', status: 'publish' })
      // Those that were sent wait for an hour; the rest would be due now.
      await until(async () => {
        const { db } = site.host.database
        const [job] = await db
          .selectFrom('jobs')
          .select('run_after_gmt')
          .where('type', '=', 'pwa-notification')
          .execute()
        return job !== undefined && Date.parse(`${job.run_after_gmt}Z`) > Date.now() + 30_000
      })
      expect(push.messages.length).to.be.within(1, 8)
    } finally {
      await site.close()
      await push.close()
    }
  })
})
