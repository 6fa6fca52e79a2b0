import { mock } from 'node:test'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { freePort } from '../support/free-port.ts'
import { openSite, tokenOf } from './visits.ts'

describe('A page that is cached for longer than its token is good', () => {
  let host: TestHost

  before(async () => {
    const port = await freePort()
    // The cache answers those who ask for the site by its own name.
    host = await openSite({ now: '2026-05-01T10:00:00Z', config: { port, url: `http://127.0.0.1:${port}` } })
    await host.request('/wp-json/speed/v1/settings', {
      method: 'PUT',
      as: 'administrator',
      body: { settings: { cacheTtlSeconds: 31_536_000 } },
    })
  })
  after(() => host.close())

  it('is re-rendered before its token expires, so that its visitors can report', async () => {
    const cached = await tokenOf(host)
    mock.timers.setTime(Date.parse('2026-05-02T05:00:00Z'))
    expect(await tokenOf(host)).to.equal(cached)
    mock.timers.setTime(Date.parse('2026-05-02T07:00:00Z'))
    // The next visitor still gets the old page, while it is rendered.
    expect((await host.get('/')).status).to.equal(200)
    let token = cached
    for (let tries = 0; token === cached && tries < 500; tries++) token = await tokenOf(host)
    expect(token).not.to.equal(cached)
  })
})
