import { expect } from 'chai'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import { ANONYMOUS } from '../../core/auth/index.ts'

describe('maintenance', () => {
  let site: TestHost
  let leave: () => void
  before(async () => {
    site = await createTestHost()
  })
  after(() => site.close())
  beforeEach(() => {
    leave = site.host.maintenance.enter(120)
  })
  afterEach(() => leave())

  it('answers REST requests as the REST server refuses', async () => {
    for (const path of ['/wp-json/host/v1/health', '/wp-json/nothing', '/?rest_route=/wp/v2/posts']) {
      const answer = await site.get(path, { headers: { Origin: 'https://elsewhere.example' } })
      expect(answer.status, path).to.equal(503)
      expect(await answer.json()).to.deep.equal({
        code: 'maintenance_mode',
        message: 'Briefly unavailable for scheduled maintenance. Please check back in a minute.',
        data: { status: 503 },
      })
      expect(Object.fromEntries(answer.headers)).to.include({
        'content-type': 'application/json; charset=UTF-8',
        'retry-after': '120',
        'access-control-allow-origin': 'https://elsewhere.example',
        'cache-control': 'no-store',
      })
    }
  })

  it('answers pages with a page', async () => {
    for (const path of ['/', '/wp-login.php', '/feed/', '/wp-content/themes/default/style.css']) {
      const answer = await site.get(path)
      expect([answer.status, answer.headers.get('retry-after')], path).to.deep.equal([503, '120'])
      expect(answer.headers.get('content-type')).to.match(/^text\/html/)
    }
  })

  it('does not stop the host from asking itself', async () => {
    const answer = await site.host.rest.dispatch({
      method: 'GET',
      route: '/wp/v2/posts',
      identity: ANONYMOUS,
    })
    expect(answer.status).to.equal(200)
  })

  it('ends with the last who asked for it, and asks for the longest time', async () => {
    const leaveToo = site.host.maintenance.enter(300)
    expect((await site.get('/')).headers.get('retry-after')).to.equal('300')
    leaveToo()
    expect((await site.get('/')).status).to.equal(503)
    leave()
    expect((await site.get('/')).status).to.equal(200)
    expect((await site.get('/wp-json/host/v1/health')).status).to.equal(200)
  })
})
