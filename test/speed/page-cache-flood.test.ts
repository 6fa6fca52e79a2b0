import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { ask, cacheStateOf, startCachedSite } from './cached-site.ts'

const PAGES = 20

describe('many missing pages at the same time', () => {
  let site: TestHost
  before(async () => {
    site = await startCachedSite()
    // Compiles the code, and fills caches.
    for (let count = 0; count < 3; count++) await ask(site, `/before-${count}/`)
  })
  after(() => site.close())

  it('are rendered in steps, one in each turn of the event loop, between which cached pages are served', async () => {
    /** Turns in which a page was rendered, by path. */
    const rendered = new Map<string, number>()
    const waiting = new Set<string>()
    const { promise: all, resolve: release } = Promise.withResolvers<void>()
    const { hooks } = site.host
    // All of them go on at the same moment.
    hooks.addAction('template_redirect', async ({ request }) => {
      waiting.add(request.path)
      if (waiting.size === PAGES) release()
      await all
    })
    hooks.addFilter('page_html', (html, { request }) => {
      rendered.set(request.path, performance.nodeTiming.uvMetricsInfo.loopCount)
      return html
    })
    await Promise.all(Array.from({ length: PAGES }, (_, at) => ask(site, `/missing-${at}/`)))
    expect(rendered.size).to.equal(PAGES)
    expect(new Set(rendered.values()).size).to.equal(PAGES)
  })

  it('share their text in memory', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const bytes = () => {
      collect()
      return process.memoryUsage().arrayBuffers
    }
    const text = `<!--${'x'.repeat(1_000_000)}-->`
    site.host.hooks.addFilter('page_html', (html, { status }) => (status === 404 ? `${html}${text}` : html), 2000)
    await ask(site, '/large-0/')
    const before = bytes()
    for (let at = 1; at <= PAGES; at++) await ask(site, `/large-${at}/`)
    // One collection may leave buffers of answers that have been sent, which callbacks that have not run yet still hold.
    for (let turns = 0; turns < 100 && bytes() - before >= 5_000_000; turns++) await wait(50)
    expect(bytes() - before).to.be.below(5_000_000)
    for (let at = 1; at <= PAGES; at++) expect(await cacheStateOf(site, `/large-${at}/`)).to.equal('HIT')
  })
})
