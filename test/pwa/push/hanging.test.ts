import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { type PushServer, startPushServer } from './push-service.ts'
import { send, startPushSite, subscribe, until } from './push-site.ts'

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

  it('that never answers one subscriber has its message counted as failed after three tries, within the answer', async () => {
    const silent = await startPushServer()
    silent.answer('/silent', 'hang')
    const other = await startPushSite()
    await subscribe(other, `${silent.origin}/silent`)
    await subscribe(other, `${silent.origin}/well`)
    const { status, data } = await send(other)
    await other.close()
    await silent.close()
    expect({ status, data }).to.deep.equal({ status: 200, data: { sent: 1, failed: 1, removed: 0, total: 2 } })
    expect([silent.of('/silent').length, silent.of('/well').length]).to.deep.equal([3, 1])
  })
})
