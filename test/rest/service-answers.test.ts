import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { type DescribedAnswers, describedAnswers } from '../support/described-answers.ts'

/** What OpenAPI promises of the services, beside what they answer. */
describe('OpenAPI describes what the services answer', () => {
  let site: TestHost
  let answers: DescribedAnswers
  before(async () => {
    site = await createTestHost({ services: true })
    answers = describedAnswers(site.host.rest.openApi())
  })
  after(() => site.close())

  /** Calls a route as an administrator, and expects its answer to fit what is promised. */
  async function check(method: string, route: string, body?: unknown, headers = {}): Promise<unknown> {
    const answer = await site.request(`/wp-json${route}`, { method, body, as: 'administrator', headers })
    const text = await answer.text()
    expect(answer.ok, `${route}: ${text}`).to.equal(true)
    const path = route.replace(/\?.*/, '')
    const data = text === '' ? undefined : JSON.parse(text)
    if (data === undefined) expect(answers.contentOf(path, method.toLowerCase())).to.deep.equal({})
    else answers.expectToFit(path, data, method.toLowerCase())
    return data
  }

  it('speed', async () => {
    const html = await (await site.get('/')).text()
    const [, token] = /id="?speed-vitals"?>\{"token":"([^"]+)"/.exec(html) ?? []
    const metrics = [{ name: 'LCP', value: 1200, id: 'v5-1700000000000-1' }]
    const report = { token, url: `${site.url}/`, metrics }
    await check('POST', '/speed/v1/web-vitals/report', report, { Origin: site.url })
    for (const name of ['performance-score', 'history', 'cache-overview', 'optimized-assets', 'optimized-pages'])
      await check('GET', `/speed/v1/${name}/fetch`)
    await check('POST', '/speed/v1/cache-status')
    await check('POST', '/speed/v1/purge-current-page', { url: '/' })
    for (const scope of ['pages', 'cache', 'everything']) await check('POST', `/speed/v1/purge-${scope}-and-preload`)
    await check('POST', '/speed/v1/preload-cache')
    await check('POST', '/speed/v1/preload-cache/cancel')
    await check('POST', '/speed/v1/service-worker/generate')
  })
})
