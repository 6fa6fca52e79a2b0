import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { anyId, fetchMetric, fetchScore, fromPage, openSite, REPORT, tokenOf } from './visits.ts'

describe('GET /speed/v1/performance-score/fetch', () => {
  let host: TestHost
  let tokens: Record<string, string>

  beforeEach(async () => {
    host = await openSite()
    tokens = { '/': await tokenOf(host), '/sample-page/': await tokenOf(host, '/sample-page/') }
  })
  afterEach(() => host.close())

  /** One visit: a report of these metrics from an address of its own. */
  async function visit(metrics: Record<string, number>, { url = '/', device = 'desktop' } = {}): Promise<void> {
    const answer = await host.request(REPORT, {
      method: 'POST',
      headers: fromPage(),
      body: {
        token: tokens[url],
        url,
        device,
        metrics: Object.entries(metrics).map(([name, value]) => ({ name, value, id: anyId() })),
      },
    })
    expect(answer.status).to.equal(204)
  }

  const visits = async (count: number, metrics: Record<string, number>, where?: { url?: string; device?: string }) => {
    for (let number = 0; number < count; number++) await visit(metrics, where)
  }

  it('is an administrator’s', async () => {
    expect((await host.get('/wp-json/speed/v1/performance-score/fetch')).status).to.equal(401)
    expect((await host.get('/wp-json/speed/v1/performance-score/fetch', { as: 'editor' })).status).to.equal(403)
  })

  it('has every metric, its unit and no values before the first visit', async () => {
    const { score, rating, samples, metrics, devices, pages } = await fetchScore(host)
    expect({ score, rating, samples, devices, pages }).to.deep.equal({
      score: null,
      rating: null,
      samples: 0,
      devices: [],
      pages: [],
    })
    expect(
      metrics.map(({ id, value, p75, unit, rating, samples }) => ({ id, value, p75, unit, rating, samples })),
    ).to.deep.equal(
      [
        ['LCP', 'ms'],
        ['CLS', ''],
        ['INP', 'ms'],
        ['FCP', 'ms'],
        ['TTFB', 'ms'],
      ].map(([id, unit]) => ({ id, value: null, p75: null, unit, rating: null, samples: 0 })),
    )
  })

  it('is null until there are ten samples', async () => {
    await visits(9, { LCP: 1000, CLS: 0, INP: 50 })
    expect(await fetchScore(host)).to.include({ score: null, rating: null, samples: 9 })
    await visit({ LCP: 1000 })
    expect(await fetchScore(host)).to.include({ score: 100, rating: 'good', samples: 10 })
  })

  // https://web.dev/articles/vitals; Lighthouse's curve is 0.90 at the first and 0.50 at the second.
  const thresholds: Record<string, [number, number]> = {
    LCP: [2500, 4000],
    CLS: [0.1, 0.25],
    INP: [200, 500],
    FCP: [1800, 3000],
    TTFB: [800, 1800],
  }
  for (const [id, [good, poor]] of Object.entries(thresholds)) {
    it(`gives ${id} 90 at ${good} and 50 at ${poor}, and rates it there`, async () => {
      await visits(10, { [id]: good })
      expect(await fetchScore(host)).to.include({ score: 90, rating: 'good' })
      expect(await fetchMetric(host, id)).to.include({ value: good, rating: 'good' })
      await visits(11, { [id]: poor })
      expect(await fetchScore(host)).to.include({ score: 50, rating: 'needs-improvement' })
      expect(await fetchMetric(host, id)).to.include({ value: poor, rating: 'needs-improvement' })
      await visits(22, { [id]: poor * 1.01 })
      expect(await fetchScore(host)).to.include({ rating: 'poor' })
      expect(await fetchMetric(host, id)).to.include({ rating: 'poor' })
    })
  }

  it('weighs what is there: LCP 30, INP 30, CLS 15, FCP 15, TTFB 10', async () => {
    const worst = { LCP: 60_000, INP: 60_000, CLS: 10, FCP: 60_000, TTFB: 60_000 }
    const best = { LCP: 0, INP: 0, CLS: 0, FCP: 0, TTFB: 0 }
    await visits(10, { ...worst, LCP: 0 })
    expect((await fetchScore(host)).score).to.equal(30)
    await visits(11, { ...best, TTFB: 60_000 })
    expect((await fetchScore(host)).score).to.equal(90)
  })

  it('leaves out what no browser reported', async () => {
    await visits(10, { LCP: 4000, CLS: 0 })
    // 30 parts of 0.50 and 15 of 1.
    expect((await fetchScore(host)).score).to.equal(67)
  })

  it('returns the median, also of an even count, and the 75th percentile', async () => {
    for (const value of [400, 100, 300, 200]) await visit({ LCP: value })
    expect(await fetchMetric(host, 'LCP')).to.include({ value: 250, p75: 300, samples: 4 })
    await visit({ LCP: 1000 })
    expect(await fetchMetric(host, 'LCP')).to.include({ value: 300, p75: 400, samples: 5 })
  })

  it('counts each value in one part of the histogram, up to its end', async () => {
    for (const value of [0, 625, 626, 2500, 2501, 4000, 8000, 8001, 60_000]) await visit({ LCP: value })
    const { histogram } = await fetchMetric(host, 'LCP')
    expect(histogram).to.deep.equal([
      { from: 0, to: 625, rating: 'good', count: 2 },
      { from: 625, to: 1250, rating: 'good', count: 1 },
      { from: 1250, to: 1875, rating: 'good', count: 0 },
      { from: 1875, to: 2500, rating: 'good', count: 1 },
      { from: 2500, to: 3250, rating: 'needs-improvement', count: 1 },
      { from: 3250, to: 4000, rating: 'needs-improvement', count: 1 },
      { from: 4000, to: 8000, rating: 'poor', count: 1 },
      { from: 8000, to: null, rating: 'poor', count: 2 },
    ])
  })

  it('separates devices and groups of pages, the slowest group first', async () => {
    await visits(10, { LCP: 1000 }, { url: '/', device: 'desktop' })
    await visits(10, { LCP: 5000 }, { url: '/sample-page/', device: 'mobile' })
    const { devices, pages, samples } = await fetchScore(host)
    expect(samples).to.equal(20)
    expect(devices.map(({ id, samples }) => [id, samples])).to.deep.equal([
      ['mobile', 10],
      ['desktop', 10],
    ])
    expect(pages.map(({ id, samples }) => [id, samples])).to.deep.equal([
      ['page', 10],
      ['home', 10],
    ])
    expect(pages[0]?.score).to.be.below(50)
    expect(pages[1]?.score).to.be.above(90)
  })
})
