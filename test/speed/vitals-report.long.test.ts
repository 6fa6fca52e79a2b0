import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mock } from 'node:test'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { anyAddress, anyId, fetchMetric, fetchScore, fromPage, openSite, REPORT, SITE, tokenOf } from './visits.ts'

describe('POST /speed/v1/web-vitals/report', () => {
  let host: TestHost
  let token: string

  const lcp = (value: unknown = 1000, id: unknown = anyId()) => ({ name: 'LCP', value, id })
  const report = (body: unknown, headers: Record<string, string> = fromPage()) =>
    host.request(REPORT, { method: 'POST', body, headers })
  const valid = (metrics: unknown[] = [lcp()]) => ({ token, url: `${SITE}/`, metrics })
  const refusal = async (answer: Response) => {
    const body: { code: string; data: { params?: Record<string, string> } } = JSON.parse(await answer.text())
    return { status: answer.status, code: body.code }
  }

  before(async () => {
    host = await openSite()
    token = await tokenOf(host)
  })
  after(() => host.close())

  describe('a report of a page of the site', () => {
    it('is taken, and answered with nothing', async () => {
      const answer = await report(valid([lcp(1234.5), { name: 'CLS', value: 0, id: anyId(), rating: 'good' }]))
      expect(answer.status).to.equal(204)
      expect(await answer.text()).to.equal('')
      expect((await fetchMetric(host, 'LCP')).value).to.equal(1234.5)
      expect((await fetchMetric(host, 'CLS')).value).to.equal(0)
    })

    it('may be text, as navigator.sendBeacon sends it', async () => {
      const { samples } = await fetchMetric(host, 'TTFB')
      const answer = await fetch(new URL(REPORT, host.url), {
        method: 'POST',
        headers: { ...fromPage(), 'Content-Type': 'text/plain;charset=UTF-8' },
        body: JSON.stringify(valid([{ name: 'TTFB', value: 80, id: anyId() }])),
      })
      expect(answer.status).to.equal(204)
      expect((await fetchMetric(host, 'TTFB')).samples).to.equal(samples + 1)
    })

    it('may name the page by its path, with any query', async () => {
      for (const url of ['/', '/?utm_source=x', `${SITE}/?a=1#part`]) {
        expect((await report({ ...valid(), url })).status, url).to.equal(204)
      }
    })

    it('detects the device from the user agent if there is no client hint', async () => {
      const agent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 Safari/604.1'
      await report(valid(), { ...fromPage(), 'User-Agent': agent })
      await report({ ...valid(), device: 'tablet' })
      expect((await fetchScore(host)).devices.map(({ id }) => id)).to.include.members(['mobile', 'tablet', 'desktop'])
    })

    it('is kept without an address', async () => {
      await report(valid(), fromPage('203.0.113.77'))
      const kept = await readFile(join(host.host.config.siteDir, 'speed/web-vitals.ndjson'), 'utf8')
      expect(kept).to.match(/^\["home","desktop","LCP",[\d.]+,\d+\]$/m)
      expect(kept).not.to.contain('203.0.113')
    })
  })

  describe('the token', () => {
    const another = (text: string) => text.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))

    it('is refused where it is forged', async () => {
      const [hour = '', group = '', signature = ''] = token.split('.')
      const later = (Number.parseInt(hour, 36) + 1).toString(36)
      const forged = [
        'x',
        '..',
        another(token).replace(/.{5}$/, 'AAAAA'),
        `${later}.${group}.${signature}`,
        `${hour}.single.${signature}`,
        `${token}.more`,
        `${hour}.${group}.`,
      ]
      for (const bad of forged) {
        expect(await refusal(await report({ ...valid(), token: bad })), bad).to.deep.equal({
          status: 403,
          code: 'invalid_token',
        })
      }
    })

    it('is refused where it is another page’s', async () => {
      const other = await tokenOf(host, '/sample-page/')
      expect(other).not.to.equal('')
      expect((await report({ ...valid(), token: other })).status).to.equal(403)
      expect((await report({ ...valid(), token: other, url: `${SITE}/sample-page/` })).status).to.equal(204)
    })

    it('is refused where it is another site’s', async () => {
      const foreign = await openSite()
      const { code } = await refusal(await report({ ...valid(), token: await tokenOf(foreign) }))
      await foreign.close()
      expect(code).to.equal('invalid_token')
    })

    it('is not given to pages that do not exist', async () => {
      expect(await tokenOf(host, '/nothing-here/')).to.equal('')
    })

    it('is not served to logged-in users, whose pages differ from those of visitors', async () => {
      const { auth } = host.host
      const user = await auth.users.create({ login: 'ada', email: 'ada@example.org', roles: ['editor'] })
      const session = await auth.startSession(user, { address: '127.0.0.1', userAgent: '' })
      const [Cookie = ''] = auth.sessionCookie(session).split(';')
      const html = await (await host.get('/', { headers: { Cookie } })).text()
      expect(html).to.contain('logged-in').and.not.to.contain('speed-vitals')
    })

    it('is not served if no visits are measured', async () => {
      const measure = (vitalsSampleRate: number) =>
        host.request('/wp-json/speed/v1/settings', {
          method: 'PUT',
          as: 'administrator',
          body: { settings: { vitalsSampleRate } },
        })
      await measure(0)
      expect(await tokenOf(host)).to.equal('')
      await measure(100)
      expect(await tokenOf(host)).not.to.equal('')
    })
  })

  describe('where it comes from', () => {
    const cases: [string, Record<string, string>][] = [
      ['another origin', { Origin: 'http://evil.test' }],
      ['the site’s name on another port', { Origin: `${SITE}:8081` }],
      ['the site by another scheme', { Origin: 'https://site.test' }],
      ['no origin', {}],
      ['an opaque origin', { Origin: 'null' }],
      ['an origin that merely begins like ours', { Origin: `${SITE}.evil.test` }],
      ['a page of another site', { Referer: 'http://evil.test/http://site.test/' }],
      ['another site, as the browser says', { Origin: SITE, 'Sec-Fetch-Site': 'cross-site' }],
      ['another origin of the same site', { Origin: SITE, 'Sec-Fetch-Site': 'same-site' }],
    ]
    for (const [name, headers] of cases) {
      it(`refuses ${name}`, async () => {
        const answer = await report(valid(), { 'X-Forwarded-For': anyAddress(), ...headers })
        expect(await refusal(answer)).to.deep.equal({ status: 403, code: 'invalid_origin' })
      })
    }

    it('believes the referrer where there is no origin', async () => {
      const headers = { 'X-Forwarded-For': anyAddress(), Referer: `${SITE}/page/` }
      expect((await report(valid(), headers)).status).to.equal(204)
    })
  })

  describe('what it says', () => {
    const refused: [string, unknown][] = [
      ['a number as text', lcp('1000')],
      ['true', lcp(true)],
      ['null', lcp(null)],
      ['a list', lcp([1000])],
      ['less than nothing', lcp(-0.001)],
      ['more than a minute', lcp(60_000.001)],
      ['a score of layout shifts above 10', { name: 'CLS', value: 10.001, id: 'x' }],
      ['a metric that does not exist', { name: 'FID', value: 1, id: 'x' }],
      ['the name of a property of all objects', { name: '__proto__', value: 1, id: 'x' }],
      ['no value', { name: 'LCP', id: 'x' }],
      ['no id', { name: 'LCP', value: 1 }],
      ['an empty id', lcp(1, '')],
      ['a number as id', lcp(1, 7)],
      ['an id of 65 characters', lcp(1, 'x'.repeat(65))],
      ['no object', 'LCP'],
    ]
    for (const [name, metric] of refused) {
      it(`refuses ${name}`, async () => {
        expect(await refusal(await report(valid([metric])))).to.deep.equal({ status: 400, code: 'rest_invalid_param' })
      })
    }

    it('refuses numbers that JSON can write and no computer can hold', async () => {
      for (const number of ['1e999', '-1e999']) {
        const answer = await fetch(new URL(REPORT, host.url), {
          method: 'POST',
          headers: { ...fromPage(), 'Content-Type': 'application/json' },
          body: JSON.stringify(valid([lcp(42.125)])).replace('42.125', number),
        })
        expect(await refusal(answer)).to.deep.equal({ status: 400, code: 'rest_invalid_param' })
      }
    })

    it('takes the bounds themselves', async () => {
      const values: [string, number][] = [
        ...['LCP', 'FCP', 'TTFB', 'INP'].flatMap((name): [string, number][] => [
          [name, 0],
          [name, 60_000],
        ]),
        ['CLS', 10],
      ]
      for (const [name, value] of values) {
        expect((await report(valid([{ name, value, id: anyId() }]))).status, `${name} ${value}`).to.equal(204)
      }
    })

    it('is refused as a whole for one value, and nothing of it counts', async () => {
      const { samples } = await fetchMetric(host, 'LCP')
      expect((await report(valid([lcp(), { name: 'CLS', value: 11, id: anyId() }]))).status).to.equal(400)
      expect((await fetchMetric(host, 'LCP')).samples).to.equal(samples)
    })

    it('names one to ten metrics', async () => {
      const many = (count: number) => Array.from({ length: count }, () => lcp())
      expect((await report(valid([]))).status).to.equal(400)
      expect((await report(valid(many(10)))).status).to.equal(204)
      expect((await report(valid(many(11)))).status).to.equal(400)
    })

    it('names a page of this site', async () => {
      for (const url of ['http://evil.test/', '//evil.test/', 'javascript:alert(1)', 'http://', 'data:,x']) {
        expect(await refusal(await report({ ...valid(), url })), url).to.deep.equal({
          status: 400,
          code: 'rest_invalid_param',
        })
      }
    })

    it('has a token, a page and metrics', async () => {
      expect(await refusal(await report({}))).to.deep.equal({ status: 400, code: 'rest_missing_callback_param' })
      expect((await report({ ...valid(), token: 7 })).status).to.equal(400)
    })

    it('is no larger than 16 KiB', async () => {
      const answer = await report({ ...valid(), more: 'x'.repeat(16 * 1024) })
      expect(await refusal(answer)).to.deep.equal({ status: 413, code: 'rest_request_too_large' })
    })

    it('is no part of a batch', async () => {
      const requests = [{ path: '/speed/v1/web-vitals/report', body: valid() }]
      const answer = await report({ requests }).then(() =>
        host.request('/wp-json/batch/v1', { method: 'POST', body: { requests }, headers: fromPage() }),
      )
      const { responses }: { responses: { status: number }[] } = JSON.parse(await answer.text())
      expect(responses.map(({ status }) => status)).to.deep.equal([400])
    })
  })

  describe('a flood', () => {
    const statuses = async (count: number, address: (number: number) => string) => {
      const seen = new Map<number, number>()
      for (let number = 0; number < count; number++) {
        const { status } = await report(valid(), fromPage(address(number)))
        seen.set(status, (seen.get(status) ?? 0) + 1)
      }
      return Object.fromEntries(seen)
    }

    it('from one address ends at 60 a minute, with the time to wait', async () => {
      const address = anyAddress()
      expect(await statuses(70, () => address)).to.deep.equal({ 204: 60, 429: 10 })
      const answer = await report(valid(), fromPage(address))
      expect(await refusal(answer.clone())).to.deep.equal({ status: 429, code: 'rest_too_many_requests' })
      expect(Number(answer.headers.get('Retry-After'))).to.be.within(1, 60)
      expect((await report(valid())).status).to.equal(204)
    })

    it('is counted with forged tokens too', async () => {
      const address = anyAddress()
      for (let number = 0; number < 60; number++) await report({ ...valid(), token: 'forged' }, fromPage(address))
      expect((await report(valid(), fromPage(address))).status).to.equal(429)
    })

    it('from many addresses of one IPv6 network counts as one', async () => {
      const address = (number: number) => `2001:db8:1:2:${number.toString(16)}::1`
      expect(await statuses(62, address)).to.deep.equal({ 204: 60, 429: 2 })
      expect((await report(valid(), fromPage('2001:db8:1:3::1'))).status).to.equal(204)
    })
  })
})

describe('A token of web vitals', () => {
  it('is good for 24 hours, and for no longer', async () => {
    const host = await openSite({ now: '2026-05-01T10:59:00Z' })
    const token = await tokenOf(host)
    const report = () =>
      host.request(REPORT, {
        method: 'POST',
        headers: fromPage(),
        body: { token, url: '/', metrics: [{ name: 'LCP', value: 1, id: anyId() }] },
      })
    expect((await report()).status).to.equal(204)
    mock.timers.setTime(Date.parse('2026-05-02T10:59:00Z'))
    expect((await report()).status).to.equal(204)
    mock.timers.setTime(Date.parse('2026-05-02T11:01:00Z'))
    expect((await report()).status).to.equal(403)
    await host.close()
  })
})
