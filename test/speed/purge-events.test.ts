import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import type { Purge } from '../../app/index.ts'
import type {} from '../../plugins/speed/hooks.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { type SpeedSite, startSpeedSite } from './speed-site.ts'

/** An integration as somebody would write it: it fails when its CDN does. */
const CDN = `import { defineExtension } from 'pentad'
export default defineExtension({
  id: 'test-cdn',
  name: 'Test CDN',
  version: '1.0.0',
  setup(host) {
    host.hooks.addAction('speed_purged', async (purge) => {
      const answer = await host.fetch('https://cdn.example/purge', { method: 'POST', body: JSON.stringify(purge) })
      if (!answer.ok) throw new Error('The CDN is down.')
    })
  },
})`

describe('purge actions', () => {
  let speed: SpeedSite
  const folder = join(temporaryFolder(), 'test-cdn')
  const post = (route: string, body?: object) =>
    speed.site.request(`/wp-json/${route}`, { method: 'POST', as: 'administrator', ...(body && { body }) })

  before(() => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'index.ts'), CDN)
  })
  beforeEach(async () => {
    speed = await startSpeedSite()
  })
  afterEach(() => speed.site.close())

  /** Switches the integration on; from then on it is asked with every purge. */
  async function connect(answer: () => number): Promise<Purge[]> {
    const told: Purge[] = []
    speed.site.respond(({ body }) => {
      const status = answer()
      if (status === 200) told.push(JSON.parse(body))
      return new Response(null, { status })
    })
    const { extensions } = speed.site.host
    await extensions.activate(await extensions.add(folder))
    await until(() => told.length > 0)
    return told
  }

  function record(): { name: string; purge: Purge }[] {
    const told: { name: string; purge: Purge }[] = []
    const { hooks } = speed.site.host
    for (const scope of ['url', 'urls', 'pages', 'cache', 'everything'] as const) {
      for (const time of ['before', 'after'] as const) {
        const name = `speed_purge_${scope}:${time}` as const
        hooks.addAction(name, (purge) => void told.push({ name, purge }))
      }
    }
    hooks.addAction('speed_purged', (purge) => void told.push({ name: 'speed_purged', purge }))
    return told
  }

  for (const scope of ['pages', 'cache', 'everything'] as const) {
    it(`purge-${scope}-and-preload fires its own pair and speed_purged, also when nothing was cached`, async () => {
      const told = record()
      expect((await post(`speed/v1/purge-${scope}-and-preload`)).status).to.equal(200)
      await until(() => told.length >= 3)
      await wait(50)
      expect(told.map(({ name }) => name)).to.deep.equal([
        `speed_purge_${scope}:before`,
        `speed_purge_${scope}:after`,
        'speed_purged',
      ])
      for (const { purge } of told) {
        expect(purge).to.include({ scope })
        expect([purge.urls, purge.tags]).to.deep.equal([[], []])
        expect(purge.reason).to.match(/^An administrator purged/)
      }
    })
  }

  it('purge-current-page fires around the removal of the page', async () => {
    const told = record()
    const kept: unknown[] = []
    await speed.fill(['/about/'])
    const url = `${speed.site.url}/about/`
    const isKept = async () => {
      const list = await speed.site.get('/wp-json/speed/v1/optimized-pages/fetch', { as: 'administrator' })
      return (await list.text()).includes(url)
    }
    speed.site.host.hooks.addAction('speed_purge_url:after', async () => void kept.push(await isKept()))
    expect(await isKept()).to.equal(true)
    await post('speed/v1/purge-current-page', { url: '/about/' })
    await until(() => kept.length === 1 && told.length === 3)
    expect(kept).to.deep.equal([false])
    expect(told.map(({ name }) => name)).to.deep.equal([
      'speed_purge_url:before',
      'speed_purge_url:after',
      'speed_purged',
    ])
    expect(told[0]?.purge).to.include({ scope: 'url' })
    expect(told[0]?.purge.urls).to.deep.equal([url])
  })

  it('content fires once for one save, with tags, cached pages and the addresses that may show it', async () => {
    await speed.fill(['/second/'])
    const told = record()
    const { first, food } = speed.ids
    await post(`wp/v2/posts/${first}`, { content: 'Other', categories: [food] })
    await until(() => told.length >= 3)
    await wait(50)
    expect(told.map(({ name }) => name)).to.deep.equal([
      'speed_purge_urls:before',
      'speed_purge_urls:after',
      'speed_purged',
    ])
    const [purge] = told.map((one) => one.purge)
    expect(purge?.scope).to.equal('urls')
    expect(purge?.tags).to.include.members([`post-${first}`, `archive-term-${food}`])
    const paths = ['/first/', '/second/', '/', '/feed/', '/category/food/', '/author/ann/', '/2025/01/']
    expect(purge?.urls).to.include.members(paths.map((path) => speed.site.url + path))
    expect(new Set(purge?.urls).size).to.equal(purge?.urls.length)
  })

  it('many concurrent changes are reported together', async () => {
    const told = record()
    const { posts } = speed.site.host.content
    for (let number = 0; number < 40; number++) await posts.insert({ title: `Post ${number}`, status: 'publish' })
    await until(() => told.some(({ purge }) => purge.urls.some((url) => url.endsWith('/post-39/'))))
    expect(told.filter(({ name }) => name === 'speed_purged').length).to.be.below(40)
    const urls = new Set(told.flatMap(({ purge }) => purge.urls))
    for (let number = 0; number < 40; number++) expect(urls.has(`${speed.site.url}/post-${number}/`)).to.equal(true)
  })

  it('neither the purge nor the answer waits for a listener that hangs', async () => {
    await speed.fill(['/about/'])
    speed.site.host.hooks.addAction('speed_purge_pages:before', () => new Promise<void>(() => {}))
    speed.site.host.hooks.addAction('speed_purged', () => new Promise<void>(() => {}))
    const answer = await post('speed/v1/purge-pages-and-preload')
    expect(JSON.parse(await answer.text()).data.purged).to.equal(1)
  })

  it('a failing integration is notified again of everything it missed, and is not paused', async () => {
    let isDown = false
    const told = await connect(() => (isDown ? 503 : 200))
    isDown = true
    const { hooks, extensions } = speed.site.host
    for (const tag of ['shop-1', 'shop-2']) {
      await hooks.doActionAsync('speed_purge', { tags: [tag] })
      await until(() => speed.site.requests.some(({ body }) => String(body).includes(tag)))
    }
    isDown = false
    await until(() => told.some(({ tags }) => tags.includes('shop-2')))
    expect(told.flatMap(({ tags }) => tags)).to.include.members(['shop-1', 'shop-2'])
    expect(extensions.list().find(({ id }) => id === 'test-cdn')?.state).to.equal('active')
  })

  it('a purge by another process reaches integrations before that process ends', async () => {
    const told = await connect(() => 200)
    await speed.site.host.hooks.doActionAsync('speed_purge', { tags: ['late'] })
    await speed.site.host.hooks.doActionAsync('shutdown')
    expect(told.flatMap(({ tags }) => tags)).to.include('late')
  })

  it('leaves nothing behind when the plugin is switched off', () => speed.site.expectNoLeaks('speed'))
})
