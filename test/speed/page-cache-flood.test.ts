import { performance } from 'node:perf_hooks'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { ask, startCachedSite } from './cached-site.ts'

const PAGES = 20

describe('many missing pages at the same time', () => {
  let site: TestHost
  before(async () => {
    site = await startCachedSite()
    // Compiles the code, and fills caches.
    for (let count = 0; count < 3; count++) await ask(site, `/before-${count}/`)
  })
  after(() => site.close())

  it('are rendered one in each turn of the event loop, between which cached pages are served', async () => {
    /** Turns in which a page was looked up, and those in which it was rendered, by path. */
    const found = new Map<string, number>()
    const rendered = new Map<string, number>()
    const turn = () => performance.nodeTiming.uvMetricsInfo.loopCount
    const { hooks } = site.host
    hooks.addAction('template_redirect', ({ request }) => void found.set(request.path, turn()))
    hooks.addFilter('page_html', (html, { request }) => {
      rendered.set(request.path, turn())
      return html
    })
    await Promise.all(Array.from({ length: PAGES }, (_, at) => ask(site, `/missing-${at}/`)))
    expect([found.size, rendered.size]).to.deep.equal([PAGES, PAGES])
    for (const turns of [found, rendered]) expect(new Set(turns.values()).size).to.equal(PAGES)
  })
})
