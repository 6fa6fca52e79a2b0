import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { until } from '../support/until.ts'
import { isAllSent, purgeTags } from './caches-in-front.ts'
import {
  AKAMAI,
  type Call,
  type CdnApi,
  PULL_ZONE,
  SERVICE,
  startAkamai,
  startBunny,
  startCloudflare,
  startFastly,
  startKeyCdn,
  TOKEN,
  ZONE,
} from './cdn-api.ts'

const root = join(import.meta.dirname, '../..')

interface Cdn {
  readonly id: string
  readonly start: (host: TestHost) => Promise<CdnApi>
  readonly settings: Readonly<Record<string, string>>
  /** Setting that is never shown. */
  readonly secret: string
  /** Header with the lifetime of a page, and its value. */
  readonly header: readonly [name: string, value: string]
  readonly mostTags: number
  /** Whether a call purges more than the pages of the site; missing if none does. */
  readonly everything?: (call: Call) => boolean
  readonly tagsOf: (call: Call) => unknown
  readonly hasUrl: (call: Call, url: string) => boolean
  /** Whether a call is a soft purge; missing if the CDN has none. */
  readonly isSoft?: (call: Call) => boolean
}

const CDNS: readonly Cdn[] = [
  {
    id: 'cloudflare-purge',
    start: startCloudflare,
    settings: { zoneId: ZONE, apiToken: TOKEN },
    secret: 'apiToken',
    header: ['cloudflare-cdn-cache-control', 'max-age=43200'],
    mostTags: 100,
    everything: ({ body }: Call) => body.purge_everything === true,
    tagsOf: ({ body }: Call) => body.tags,
    hasUrl: ({ body }: Call, url: string) => Array.isArray(body.files) && body.files.includes(url),
  },
  {
    id: 'fastly-purge',
    start: startFastly,
    settings: { serviceId: SERVICE, apiToken: TOKEN },
    secret: 'apiToken',
    isSoft: ({ headers }) => headers['fastly-soft-purge'] === '1',
    header: ['surrogate-control', 'max-age=43200'],
    mostTags: 256,
    everything: ({ path }: Call) => path.endsWith('/purge_all'),
    tagsOf: ({ body }: Call) => body.surrogate_keys,
    hasUrl: ({ path }: Call, url: string) => path === `/purge/${url.replace('http://', '')}`,
  },
  {
    id: 'akamai-purge',
    start: startAkamai,
    settings: AKAMAI,
    secret: 'clientSecret',
    header: ['edge-control', 'max-age=43200'],
    mostTags: 120,
    tagsOf: ({ path, body }) => path.includes('/tag/') && body.objects,
    hasUrl: ({ path, body }, url) => path.includes('/url/') && [body.objects].flat().includes(url),
    isSoft: ({ path }) => path.includes('/invalidate/'),
  },
  {
    id: 'bunny-purge',
    start: startBunny,
    settings: { pullZoneId: PULL_ZONE, apiKey: TOKEN },
    secret: 'apiKey',
    header: ['cdn-cache-control', 'max-age=43200'],
    mostTags: 1,
    tagsOf: ({ body }) => body.CacheTag,
    hasUrl: ({ path }, url) => path.startsWith(`/purge?url=${encodeURIComponent(url)}&`),
  },
  {
    id: 'keycdn-purge',
    start: startKeyCdn,
    settings: { zoneId: '12345', apiKey: TOKEN },
    secret: 'apiKey',
    header: ['x-accel-expires', '43200'],
    mostTags: 50,
    tagsOf: ({ body }) => body.tags,
    hasUrl: ({ body }, url) => [body.urls].flat().includes(url.replace('http://', '')),
  },
]

for (const cdn of CDNS) {
  describe(cdn.id, () => {
    let host: TestHost
    let api: CdnApi

    beforeEach(async () => {
      const extensions = ['plugins/speed', `extensions/${cdn.id}`].map((path) => join(root, path))
      host = await createTestHost({ extensions, config: { url: 'http://site.test' } })
      api = await cdn.start(host)
    })
    afterEach(async () => {
      await host.close()
      await api.close()
    })

    const send = (path: string, body: unknown, method = 'POST') =>
      host.request(`/wp-json${path}`, { method, body, as: 'administrator' })
    const set = (settings: unknown) => send(`/host/v1/settings/${cdn.id}`, { settings }, 'PUT')
    const purged = (tags: string[]) => purgeTags(host, tags)
    /**
     * A change of settings purges all pages; what is purged right after it would be sent with it. That a purge of all pages was sent says less:
     * it may have been for the extension, which was switched on just before.
     */
    async function setUp(): Promise<void> {
      await set(cdn.settings)
      await until(async () => {
        const changes = await host.host.changes.read(undefined, 100)
        return changes?.some(({ reason }) => reason.includes(`${cdn.id}_settings`)) ?? false
      })
      await until(() => isAllSent(host), { seconds: 60 })
    }
    const tagsOf = (call: Call) => [cdn.tagsOf(call) || []].flat()
    const sentTags = () => api.accepted.flatMap(tagsOf)
    /** Product tags of each call about such, taken or not; what was taken is sent once more some seconds later. */
    const products = () =>
      api.calls
        .map((call) => tagsOf(call).filter((tag) => String(tag).startsWith('product-')))
        .filter(({ length }) => length > 0)
    const test = () => send(`/${cdn.id}/v1/test`, undefined)

    it('purges the tags and addresses of an edited post', async () => {
      await setUp()
      expect((await send('/wp/v2/posts/1', { title: 'Good morning' }, 'PUT')).status).to.equal(200)
      await until(() => sentTags().includes('post-1'))
      await until(() => api.accepted.some((call) => cdn.hasUrl(call, 'http://site.test/hello-world/')))
    })

    it('purges all pages by the tag that they share, and everything only where it was asked for', async () => {
      await set(cdn.settings)
      await send('/speed/v1/purge-pages-and-preload', {})
      await until(() => sentTags().includes('site'))
      const { everything } = cdn
      if (!everything) return
      expect(api.accepted.some(everything)).to.equal(false)
      await send('/speed/v1/purge-everything-and-preload', {})
      await until(() => api.accepted.some(everything))
    })

    it('softly purges what may be served once more, and nothing else', async () => {
      await setUp()
      const isSoft = (tag: string) => {
        const call = api.accepted.find((accepted) => tagsOf(accepted).includes(tag))
        return call && cdn.isSoft?.(call)
      }
      await purgeTags(host, ['product-1'], { soft: true })
      await until(() => isAllSent(host), { seconds: 60 })
      await purgeTags(host, ['product-2'])
      await until(() => isAllSent(host), { seconds: 60 })
      expect(isSoft('product-1')).to.equal(cdn.isSoft && true)
      expect(isSoft('product-2')).to.equal(cdn.isSoft && false)
    })

    it('keeps to the limits of one call', async () => {
      await setUp()
      const tags = Array.from({ length: cdn.mostTags * 2 + 1 }, (_, at) => `product-${at}`)
      await purged(tags)
      await until(() => sentTags().includes(`product-${cdn.mostTags * 2}`))
      expect(sentTags().filter((tag) => String(tag).startsWith('product-'))).to.have.members(tags)
    })

    it('waits for Retry-After, and sends purges queued meanwhile in one request', async () => {
      await setUp()
      api.failWith({ status: 429, headers: { 'Retry-After': '2' } })
      await purged(['product-1'])
      await until(() => products().length > 0)
      await purged(['product-2'])
      await purged(['product-3'])
      await until(() => isAllSent(host), { seconds: 60 })
      const [first, ...others] = products()
      expect(first).to.deep.equal(['product-1'])
      expect(others.slice(0, cdn.mostTags === 1 ? 3 : 1).flat()).to.deep.equal(['product-1', 'product-2', 'product-3'])
      expect(sentTags()).to.include.members(['product-1', 'product-2', 'product-3'])
    })

    it('tries again after a server error, and not after a refusal', async () => {
      await setUp()
      api.failWith({ status: 503 })
      await purged(['product-1'])
      await until(() => isAllSent(host), { seconds: 60 })
      expect(sentTags()).to.include('product-1')

      api.failWith({ status: 403 })
      await purged(['product-2'])
      await until(() => isAllSent(host), { seconds: 60 })
      expect(products().filter((tags) => tags.includes('product-2'))).to.have.length(1)
      expect(sentTags()).to.not.include('product-2')
    })

    it('says that it cannot be reached', async () => {
      await setUp()
      await api.close()
      await purged(['product-1'])
      const errors = async () => (await host.get('/wp-json/host/v1/changes/readers', { as: 'administrator' })).text()
      await until(async () => /"error":"\w+ could not be reached\."/.test(await errors()), { seconds: 60 })
    })

    it('continues after a restart where it was', async () => {
      await setUp()
      // Otherwise the reload purges all pages.
      await send('/speed/v1/settings', { settings: { purgeOnUpdate: 'off' } }, 'PUT')
      api.failWith({ status: 503 })
      await purged(['product-1'])
      await until(() => products().length > 0)
      await host.reload(cdn.id)
      await until(() => sentTags().includes('product-1'), { seconds: 60 })
      await until(() => isAllSent(host), { seconds: 60 })
      expect(api.accepted.some((call) => cdn.everything?.(call))).to.equal(false)
    })

    it('purges all pages of an account that was added, and of one that missed changes', async () => {
      await setUp()
      expect(sentTags()).to.include('site')
      const before = sentTags().filter((tag) => tag === 'site').length
      await host.host.database.db.updateTable('change_readers').set({ position: 'not in the log' }).execute()
      await until(() => isAllSent(host), { seconds: 60 })
      expect(sentTags().filter((tag) => tag === 'site').length).to.be.above(before)
    })

    it('says how long only on pages that are the same for everybody', async () => {
      const header = async (path: string, as?: string) =>
        (await host.get(path, as ? { as } : {})).headers.get(cdn.header[0])
      expect(await header('/hello-world/')).to.equal(cdn.header[1])
      expect(await header('/no-such-page/')).to.equal(null)
      const personal = await host.get('/hello-world/', { headers: { Cookie: 'store_cart=1' } })
      expect(personal.headers.get(cdn.header[0])).to.equal(null)
    })

    describe('the test button', () => {
      it('really asks', async () => {
        expect((await test()).status).to.equal(409)
        await set(cdn.settings)
        expect((await test()).status).to.equal(200)
        expect(sentTags()).to.include('connection-test')
      })

      it('says what is wrong, and never the token', async () => {
        await set({ ...cdn.settings, [cdn.secret]: 'wrong-token' })
        const answer = await test()
        expect(answer.status).to.equal(502)
        expect(await answer.text())
          .to.match(/responded with 40[13]/)
          .and.not.contain('wrong-token')
      })

      it('is for administrators', async () => {
        const ask = (as?: string) => host.request(`/wp-json/${cdn.id}/v1/test`, { method: 'POST', ...(as && { as }) })
        expect((await ask()).status).to.equal(401)
        expect((await ask('editor')).status).to.equal(403)
      })
    })

    it('leaves nothing behind', () => host.expectNoLeaks(cdn.id))
  })
}
