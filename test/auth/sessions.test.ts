import { expect } from 'chai'
import type { User } from '../../core/auth/types.ts'
import { onEachDatabase } from '../support/databases.ts'
import { createTestSite, request, type TestSite } from './site.ts'

const SESSIONS = '/wp-json/host/v1/sessions'

onEachDatabase('host/v1/sessions', (databaseUrl) => {
  let site: TestSite
  let ann: User
  let bob: User

  before(async () => {
    site = await createTestSite(await databaseUrl())
    ann = await site.addUser('ann', 'subscriber')
    bob = await site.addUser('bob', 'subscriber')
  })
  after(() => site.close())

  /** Headers of a signed-in browser, and the session's id. */
  async function browser(user: User) {
    const cookie = await site.signIn(user)
    const identity = await site.auth.identifyPage({ cookie, address: '' })
    return {
      id: identity.session?.id ?? '',
      headers: { Cookie: cookie, 'X-WP-Nonce': site.auth.createNonce('wp_rest', identity) },
    }
  }

  it('lists one’s own, and which of them asks, without anything secret', async () => {
    const first = await browser(ann)
    const second = await browser(ann)
    await browser(bob)
    const { status, body, text } = await request(site.http).get(SESSIONS).set(second.headers)
    expect(status).to.equal(200)
    expect(body.data.items).to.have.length(2)
    expect(body.data.items).to.deep.include({
      id: second.id,
      created: '2026-11-21T06:00:00Z',
      expires: '2026-11-23T06:00:00Z',
      address: '127.0.0.1',
      userAgent: 'test',
      current: true,
    })
    expect(body.data.items.find((item: { id: string }) => item.id === first.id)).to.include({ current: false })
    expect(text).to.not.include(first.headers.Cookie.split('=')[1])
  })
  it('ends one of one’s own only', async () => {
    const mine = await browser(ann)
    const other = await browser(ann)
    const bobs = await browser(bob)
    const end = (id: string) => request(site.http).delete(`${SESSIONS}/${id}`).set(mine.headers)
    expect((await end(other.id)).body).to.deep.equal({ status: 'success', data: { ended: 1 } })
    expect((await request(site.http).get(SESSIONS).set(other.headers)).status).to.equal(403)
    const foreign = await end(bobs.id)
    expect([foreign.status, foreign.body.code]).to.deep.equal([404, 'session_not_found'])
    expect((await request(site.http).get(SESSIONS).set(bobs.headers)).status).to.equal(200)
  })
  it('ends all others', async () => {
    const mine = await browser(ann)
    const other = await browser(ann)
    await request(site.http).delete(SESSIONS).set(mine.headers)
    expect((await request(site.http).get(SESSIONS).set(other.headers)).status).to.equal(403)
    const { body } = await request(site.http).get(SESSIONS).set(mine.headers)
    expect(body.data.items.map((item: { id: string }) => item.id)).to.deep.equal([mine.id])
  })
  it('is closed to visitors', async () => {
    for (const call of [request(site.http).get(SESSIONS), request(site.http).delete(SESSIONS)]) {
      expect((await call).body.code).to.equal('rest_forbidden')
    }
  })
})
