import { join } from 'node:path'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { siteWith } from '../../speed/cached-site.ts'
import { OPTIMIZER_OFF } from '../../speed/optimizer-off.ts'
import { set } from '../seo-site.ts'
import { clear, license, openVisitedSite, referralsOf, visit } from './visit-site.ts'

const SPEED = join(import.meta.dirname, '../../../plugins/speed')

describe('GET /geo/referrals', () => {
  let site: TestHost
  before(async () => {
    const siteDir = siteWith({ preload: 'off', ...OPTIMIZER_OFF, vitalsSampleRate: 0 })
    site = await openVisitedSite({ extensions: [SPEED], config: { siteDir } })
    await license(site)
  })
  afterEach(() => clear(site))
  after(() => site.close())

  const total = async () => (await referralsOf(site)).total
  const from = (referrer: string, path = '/hello-world/', headers: Record<string, string> = {}) =>
    visit(site, path, { Referer: referrer, ...headers })

  it('reports which assistants sent visitors, and to which pages', async () => {
    await from('https://chatgpt.com/')
    await from('https://chatgpt.com/c/123')
    await from('https://www.perplexity.ai/search/abc')
    await from('https://claude.ai/', '/')
    const { days, total, sources, pages } = await referralsOf(site)
    expect({ days, total }).to.deep.equal({ days: 90, total: 4 })
    expect(sources).to.deep.equal([
      { name: 'ChatGPT', visits: 2 },
      { name: 'Claude', visits: 1 },
      { name: 'Perplexity', visits: 1 },
    ])
    expect(pages).to.deep.equal([
      {
        url: `${site.host.config.url}/hello-world/`,
        visits: 3,
        sources: [
          { name: 'ChatGPT', visits: 2 },
          { name: 'Perplexity', visits: 1 },
        ],
      },
      { url: `${site.host.config.url}/`, visits: 1, sources: [{ name: 'Claude', visits: 1 }] },
    ])
  })

  it('reports the number of visitors per day', async () => {
    await from('https://chatgpt.com/')
    const { daily } = await referralsOf(site, '?days=7')
    expect(daily).to.have.length(7)
    expect(daily.at(-1)).to.deep.equal({ date: new Date().toISOString().slice(0, 10), visits: 1 })
  })

  it('counts visits that the page cache answers, exactly, and those that only ask whether the page has changed', async () => {
    await from('https://chatgpt.com/')
    const answers = await Promise.all(Array.from({ length: 40 }, () => from('https://chatgpt.com/')))
    expect(new Set(answers.map(({ headers }) => headers.get('x-cache')))).to.deep.equal(new Set(['HIT']))
    const again = await from('https://chatgpt.com/', '/hello-world/', {
      'If-None-Match': answers.at(-1)?.headers.get('etag') ?? '',
    })
    expect(again.status).to.equal(304)
    expect(await total()).to.equal(42)
  })

  for (const [referrer, name] of [
    ['https://CHATGPT.com:443/', 'ChatGPT'],
    ['https://chat.openai.com/', 'ChatGPT'],
    ['android-app://com.openai.chatgpt/', 'ChatGPT'],
    ['https://www.bing.com/chat?q=x', 'Copilot'],
    ['https://gemini.google.com/app', 'Gemini'],
    ['https://somebody@chatgpt.com/', 'ChatGPT'],
    ['https://kagi.com/assistant/abc', 'Kagi Assistant'],
  ] as const) {
    it(`knows ${referrer}`, async () => {
      await from(referrer)
      expect((await referralsOf(site)).sources).to.deep.equal([{ name, visits: 1 }])
    })
  }

  for (const referrer of [
    'https://chatgpt.com.evil/',
    'https://evilchatgpt.com/',
    'https://evil.example/chatgpt.com',
    'https://chatgpt.com@evil.example/',
    'https://www.bing.com/search?q=chat',
    'https://kagi.com/search?q=assistant',
    'ftp://chatgpt.com/',
    'android-app://com.evil.chatgpt/',
    'chatgpt.com',
    'https://google.com/',
    'nonsense',
  ]) {
    it(`does not take ${referrer} for one`, async () => {
      await from(referrer)
      expect(await total()).to.equal(0)
    })
  }

  it('goes by utm_source where there is no referrer', async () => {
    await visit(site, '/hello-world/?utm_source=chatgpt.com')
    await visit(site, '/hello-world/?a=1&utm_source=Perplexity')
    await visit(site, '/hello-world/?utm_source=newsletter')
    await visit(site, '/hello-world/?utm_source=chatgpt.com.evil')
    await visit(site, '/hello-world/?utm_source=bing.com')
    const { sources } = await referralsOf(site)
    expect(sources).to.deep.equal([
      { name: 'ChatGPT', visits: 1 },
      { name: 'Perplexity', visits: 1 },
    ])
  })

  it('counts a visit once, whichever way it is marked, and not the way through the site after it', async () => {
    await from('https://chatgpt.com/', '/hello-world/?utm_source=chatgpt.com')
    await from(`${site.host.config.url}/hello-world/?utm_source=chatgpt.com`, '/?utm_source=chatgpt.com')
    expect(await total()).to.equal(1)
  })

  it('counts page views only: no images, no prefetching, no redirects, no missing pages', async () => {
    const chatgpt = 'https://chatgpt.com/'
    await from(chatgpt, '/hello-world/', { 'Sec-Fetch-Dest': 'image' })
    await from(chatgpt, '/hello-world/', { 'Sec-Purpose': 'prefetch' })
    await from(chatgpt, '/hello-world/', { Accept: 'image/webp,image/*' })
    await from(chatgpt, '/hello-world')
    await from(chatgpt, '/nothing-here/')
    expect(await total()).to.equal(0)
    await from(chatgpt, '/hello-world/', { 'Sec-Fetch-Dest': 'document' })
    expect(await total()).to.equal(1)
  })

  it('counts nothing while it is switched off', async () => {
    await set(site, { referralTracking: 'off' })
    await from('https://chatgpt.com/')
    await set(site, { referralTracking: 'on' })
    expect(await total()).to.equal(0)
  })

  it('is there with a license only', async () => {
    await site.host.license.remove()
    const answer = await site.get('/wp-json/seo/v1/geo/referrals', { as: 'administrator' })
    expect(answer.status).to.equal(404)
    await license(site)
  })

  it('is forgotten, as crawlers are, by POST /geo/clear', async () => {
    await from('https://chatgpt.com/')
    await from('https://chatgpt.com/')
    await visit(site, '/', { as: 'CCBot/2.0' })
    const answer = await site.request('/wp-json/seo/v1/geo/clear', { method: 'POST', as: 'administrator' })
    expect(await answer.json()).to.deep.equal({ status: 'success', data: { crawlers: 1, referrals: 2 } })
    expect(await total()).to.equal(0)
  })
})
