import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { startPentad } from '../support/pentad.ts'
import { openSender } from '../support/send.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { anyAddress, anyId, fetchMetric, fetchScore, fromPage, openSite, REPORT, SITE, tokenOf } from './visits.ts'

/** The middle of the values, found by another way than the service's. */
function reference(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}

/** Numbers that look random and are the same in each run. */
function* numbers(seed = 1): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 48_271) % 2_147_483_647
    yield state / 2_147_483_647
  }
}

describe('What visitors have reported', () => {
  let siteDir: string
  let host: TestHost
  let token: string

  let sender: ReturnType<typeof openSender>

  const open = async () => {
    host = await openSite({ config: { siteDir } })
    sender = openSender(host.url)
    token = await tokenOf(host)
  }
  const report = async (metrics: { name: string; value: number; id: string }[], address = anyAddress()) => {
    const body = JSON.stringify({ token, url: '/', device: 'desktop', metrics })
    const headers = { ...fromPage(address), 'Content-Type': 'application/json' }
    // Not by `fetch`, which takes longer to send a report than the site to take it.
    const { status } = await sender.send({ method: 'POST', path: REPORT, headers, body })
    expect(status).to.equal(204)
  }
  const lcp = (value: number, id = anyId()) => [{ name: 'LCP', value, id }]
  const file = () => join(siteDir, 'speed/web-vitals.ndjson')

  beforeEach(async () => {
    siteDir = temporaryFolder()
    await open()
  })
  const close = () => {
    sender.close()
    return host.close()
  }
  afterEach(close)

  it('counts one vote for each id, the last one', async () => {
    await report(lcp(100, 'v5-once'))
    for (let number = 1; number <= 1000; number++) {
      // From many addresses, so that no other limit is what holds it back.
      await report(lcp(number, 'v5-again'))
    }
    expect(await fetchMetric(host, 'LCP')).to.include({ samples: 2, value: 550 })
  })

  it('counts three samples per address, so that a single client cannot shift the median', async () => {
    const values = Array.from({ length: 21 }, (_, index) => 1000 + index * 10)
    for (const value of values) await report(lcp(value))
    const attacker = anyAddress()
    for (let number = 0; number < 50; number++) await report(lcp(59_000 + number), attacker)
    const { samples, value, histogram } = await fetchMetric(host, 'LCP')
    expect(samples).to.equal(24)
    expect(value)
      .to.equal(reference([...values, 59_047, 59_048, 59_049]))
      .and.below(1120)
    expect(histogram.at(-1)?.count).to.equal(3)
  })

  it('counts an IPv6 network as one address', async () => {
    for (let number = 0; number < 10; number++) await report(lcp(number), `2001:db8:7:7::${number}`)
    expect((await fetchMetric(host, 'LCP')).samples).to.equal(3)
  })

  it('is the latest 1000 of each kind, with the median of a reference', async () => {
    const random = numbers()
    const values = Array.from({ length: 2347 }, () => Math.round(random.next().value * 6e6) / 100)
    for (let at = 0; at < values.length; at += 3) {
      await report(values.slice(at, at + 3).map((value) => ({ name: 'LCP', value, id: anyId() })))
    }
    const { samples, value, p75 } = await fetchMetric(host, 'LCP')
    const latest = values.slice(-1000)
    expect(samples).to.equal(1000)
    expect(value).to.equal(reference(latest))
    expect(p75).to.equal(latest.toSorted((a, b) => a - b)[749])
  })

  it('is the same after a restart, and ids and ring buffers continue', async () => {
    for (let number = 1; number <= 20; number++) await report(lcp(number * 100, `v5-${number}`))
    const before = await fetchScore(host)
    await close()
    await open()
    expect(await fetchScore(host)).to.deep.equal(before)
    await report(lcp(9999, 'v5-1'))
    expect((await fetchMetric(host, 'LCP')).samples).to.equal(20)
  })

  it('still counts three of one address after a restart', async () => {
    const visitor = anyAddress()
    for (let number = 1; number <= 10; number++) {
      await report(lcp(number * 100), visitor)
      await report(lcp(number))
    }
    const before = await fetchScore(host)
    expect(before.samples).to.equal(13)
    await close()
    await open()
    expect(await fetchScore(host)).to.deep.equal(before)
  })

  it('outlives kill -9 once it was acknowledged', async () => {
    await close()
    writeFileSync(join(siteDir, 'config.json'), JSON.stringify({ url: SITE, trustedProxies: ['127.0.0.1'] }))
    const site = await startPentad(siteDir)
    try {
      const address = /:\d+/.exec(site.output().match(/127\.0\.0\.1:\d+/)?.[0] ?? '')?.[0] ?? ''
      const url = `http://127.0.0.1${address}`
      const html = await (await fetch(url, { headers: { Host: 'site.test' } })).text()
      const token = /"token":"([^"]+)"/.exec(html)?.[1]
      let acknowledged = 0
      let isKilled = false
      const visitor = async () => {
        while (!isKilled) {
          const body = JSON.stringify({ token, url: '/', metrics: lcp(500) })
          const headers = { ...fromPage(), 'Content-Type': 'application/json' }
          const answer = await fetch(url + REPORT, { method: 'POST', headers, body }).catch(() => undefined)
          if (answer?.status === 204) acknowledged++
          if (acknowledged > 200 && !isKilled) {
            isKilled = true
            await site.end('SIGKILL')
          }
        }
      }
      await Promise.all(Array.from({ length: 4 }, visitor))
      await open()
      expect(acknowledged).to.be.above(200)
      expect((await fetchMetric(host, 'LCP')).samples).to.be.at.least(acknowledged)
    } finally {
      await site.end('SIGKILL')
    }
  })

  it('is what can still be read of a file that was damaged', async () => {
    await report(lcp(700))
    await close()
    const broken = [
      '\0\0\0',
      '{"a":1}',
      '["home","desktop","LCP",70000,1]',
      '["home","watch","LCP",1,2]',
      '["home","des',
    ]
    appendFileSync(file(), broken.join('\n'))
    await open()
    expect(await fetchMetric(host, 'LCP')).to.include({ samples: 1, value: 700 })
    await report(lcp(900))
    await close()
    await open()
    expect(await fetchMetric(host, 'LCP')).to.include({ samples: 2, value: 800 })
  })

  it('takes 100,000 samples in bounded memory and a bounded file', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    const used = () => {
      collectGarbage()
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      return heapUsed + arrayBuffers
    }
    const names = ['LCP', 'CLS', 'INP', 'FCP', 'TTFB']
    const send = async (reports: number) => {
      let left = reports
      const visitor = async () => {
        while (left-- > 0) {
          await report(Array.from({ length: 10 }, (_, at) => ({ name: names[at % 5] ?? '', value: at, id: anyId() })))
        }
      }
      await Promise.all(Array.from({ length: 8 }, visitor))
    }
    await send(1000)
    const before = used()
    await send(9000)
    expect(used() - before).to.be.below(8_000_000)
    expect((await fetchScore(host)).metrics.map(({ samples }) => samples)).to.deep.equal([1000, 1000, 1000, 1000, 1000])
    expect(statSync(file()).size).to.be.below(2_100_000)
    expect(readFileSync(file(), 'utf8').endsWith('\n')).to.equal(true)
  })
})
