import { getServers, setServers } from 'node:dns'
import { createServer } from 'node:http'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { until } from '../../support/until.ts'
import { startNameServer } from './name-server.ts'
import {
  AT_HOME,
  clear,
  crawlersOf,
  GOOGLEBOT,
  GPTBOT,
  license,
  OF_GPTBOT,
  openVisitedSite,
  visit,
} from './visit-site.ts'

/** Name and address, and how often each verdict was given. */
async function verdictsOn(site: TestHost): Promise<string[]> {
  const { crawlers } = await crawlersOf(site)
  return crawlers.map(
    ({ name, hits, verified, spoofed }) => `${name} ${hits} ${verified ? 'verified' : `spoofed ${spoofed}`}`,
  )
}

describe('Address lists of operators', () => {
  const GOOD = {
    creationTime: '2026-11-01T00:00:00.000000',
    prefixes: [{ ipv4Prefix: '84.112.0.0/20' }, { ipv6Prefix: '2a02:8388::/32' }],
  }
  /** What is wrong with a list, whose crawler tells, and what is answered in its place. */
  const WRONG = [
    ['is away', 'OAI-SearchBot', '/searchbot.json', undefined],
    ['is a page in place of a list', 'ChatGPT-User', '/chatgpt-user.json', '<html>'],
    ['is empty', 'ClaudeBot', '/crawling/bots.json', { prefixes: [] }],
    ['would vouch for everybody', 'PerplexityBot', '/perplexitybot.json', { prefixes: [{ ipv4Prefix: '0.0.0.0/0' }] }],
    ['names what is no address', 'Perplexity-User', '/perplexity-user.json', { prefixes: [{ ipv4Prefix: '84.1/9;' }] }],
    ['names this machine', 'DuckAssistBot', '/duckassistbot.json', { prefixes: [{ ipv4Prefix: '127.0.0.1/32' }] }],
    [
      'is endless',
      'MistralAI-User',
      '/mistralai-user-ips.json',
      { prefixes: Array.from({ length: 6000 }, () => ({ ipv4Prefix: '84.112.0.0/20' })) },
    ],
  ] as const

  let site: TestHost
  let asked: string[]
  /** Speaks as all operators do, each below its own name. */
  const operators = createServer(({ url = '' }, response) => {
    const wrong = WRONG.find(([, , path]) => url.endsWith(path))
    const answer = wrong ? wrong[3] : GOOD
    response.writeHead(answer === undefined ? 503 : 200, { 'Content-Type': 'application/json' })
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}))
  }).listen(0, '127.0.0.1')

  before(async () => {
    asked = []
    site = await openVisitedSite({ now: '2026-11-20T12:00:00Z' })
    await license(site)
    const address = operators.address()
    const port = address && typeof address === 'object' ? address.port : 0
    site.respond(async ({ url }) => {
      const { host, pathname } = new URL(url)
      const answer = await fetch(`http://127.0.0.1:${port}/${host}${pathname}`)
      asked.push(url)
      // Without the address that it came from: it plays another.
      return new Response(await answer.text(), { status: answer.status })
    })
    // The lists are fetched behind the first crawler.
    await come(GPTBOT, AT_HOME)
    expect(await verdictsOn(site)).to.deep.equal(['GPTBot 1 spoofed 0'])
    await until(async () => {
      await clear(site)
      await site.clock.advance(61_000)
      await come('MistralAI-Index/1.0', AT_HOME)
      return (await verdictsOn(site)).includes('MistralAI-Index 1 verified')
    })
  })
  beforeEach(() => clear(site))
  after(async () => {
    await site.close()
    operators.close()
    operators.closeAllConnections()
  })

  const come = (as: string, from: string) => visit(site, '/', { as, from })

  it('take the place of those that came with the software', async () => {
    await come(GPTBOT, AT_HOME)
    await come(GPTBOT, '2a02:8388::7')
    await come(GPTBOT, OF_GPTBOT)
    expect(await verdictsOn(site)).to.have.members(['GPTBot 2 verified', 'GPTBot 1 spoofed 1'])
  })

  it('are fetched once a day', async () => {
    const times = asked.filter((url) => url === 'https://openai.com/gptbot.json').length
    expect(times).to.equal(1)
  })

  for (const [what, crawler] of WRONG) {
    it(`change nothing where one ${what}`, async () => {
      await come(`${crawler}/1.0`, AT_HOME)
      await come(`${crawler}/1.0`, '127.0.0.1')
      expect(await verdictsOn(site)).to.deep.equal([`${crawler} 2 spoofed 0`])
    })
  }
})

describe('Names of addresses', () => {
  const before_ = getServers()
  let names: Awaited<ReturnType<typeof startNameServer>>
  let site: TestHost
  before(async () => {
    names = await startNameServer({
      'PTR 66.249.66.1': ['crawl-66-249-66-1.googlebot.com'],
      'A crawl-66-249-66-1.googlebot.com': ['66.249.66.1'],
      'PTR 84.112.3.4': ['crawl-66-249-66-1.googlebot.com'],
      'PTR 84.112.3.5': ['googlebot.com.evil.example'],
      'A googlebot.com.evil.example': ['84.112.3.5'],
      'PTR 84.112.3.6': ['5.6.7.8.bc.googleusercontent.com'],
      'A 5.6.7.8.bc.googleusercontent.com': ['84.112.3.6'],
      'PTR 84.112.3.7': ['silent.googlebot.com'],
      'PTR 1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1.0.8.4.0.6.8.4.1.0.0.2.ip6.arpa': ['crawl6.googlebot.com'],
      'AAAA crawl6.googlebot.com': ['2001:4860:4801:0::1'],
    })
    setServers([names.address])
    site = await openVisitedSite()
    await license(site)
  })
  afterEach(() => clear(site))
  after(async () => {
    setServers(before_)
    await site.close()
    names.close()
  })

  for (const [what, from, verdict] of [
    ['that lead to the operator and back prove it', '66.249.66.1', 'verified'],
    ['of IPv6 addresses do too', '2001:4860:4801::1', 'verified'],
    ['that do not lead back are forged', '84.112.3.4', 'spoofed 1'],
    ['that only begin as the operator’s are a stranger’s', '84.112.3.5', 'spoofed 1'],
    ['that the operator’s customers have prove nothing', '84.112.3.6', 'spoofed 1'],
    ['are missed where there are none', '84.112.3.8', 'spoofed 1'],
    ['are not known where no server answers', '84.112.3.7', 'spoofed 0'],
  ] as const) {
    it(what, async () => {
      await visit(site, '/', { as: GOOGLEBOT, from })
      expect(await verdictsOn(site)).to.deep.equal([`Googlebot 1 ${verdict}`])
    })
  }

  it('are looked up once, and not on the way of a request', async () => {
    const before = names.asked.length
    for (let visits = 0; visits < 10; visits++) await visit(site, '/', { as: GOOGLEBOT, from: '66.249.66.1' })
    expect(names.asked).to.have.length(before)
    expect(await verdictsOn(site)).to.deep.equal(['Googlebot 10 verified'])
    expect(names.asked).to.have.length(before)
  })

  it('are not looked up for addresses of the network around the site', async () => {
    const before = names.asked.length
    await visit(site, '/', { as: GOOGLEBOT, from: '192.168.1.7' })
    expect(await verdictsOn(site)).to.deep.equal(['Googlebot 1 spoofed 1'])
    expect(names.asked).to.have.length(before)
  })
})
