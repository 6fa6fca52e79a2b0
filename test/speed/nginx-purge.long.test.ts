import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'
import { isAllSent, purgeTags } from './caches-in-front.ts'
import { createVisits, itKeepsAndPurges } from './front-cache.ts'
import { createNginx, type FrontServer } from './front-server.ts'

const root = join(import.meta.dirname, '../..')
const extensions = ['plugins/speed', 'extensions/nginx-purge'].map((path) => join(root, path))

for (const by of ['deleting its files', 'PURGE'] as const) {
  describe(`nginx-purge by ${by}, with a real nginx in front`, () => {
    let host: TestHost
    let nginx: FrontServer

    before(async () => {
      const port = await freePort()
      const config = { url: `http://127.0.0.1:${port}`, trustedProxies: ['127.0.0.1'] }
      host = await createTestHost({ extensions, config })
      nginx = await createNginx(Number(new URL(host.url).port), port, by === 'PURGE')
      await nginx.start()
      await set(by === 'PURGE' ? { address: nginx.url } : { folder: join(nginx.folder, 'cache') })
    })
    after(async () => {
      await nginx?.remove()
      await host?.close()
    })

    const send = (path: string, body: unknown, method = 'POST') =>
      host.request(`/wp-json${path}`, { method, body, as: 'administrator' })
    const set = (settings: unknown) => send('/host/v1/settings/nginx-purge', { settings }, 'PUT')
    const edit = (id: number, title: string) => send(`/wp/v2/posts/${id}`, { title }, 'PUT')

    /** `X-Nginx-Cache` is `$upstream_cache_status`. */
    const visits = createVisits(
      () => nginx,
      (headers) => headers.get('x-nginx-cache') === 'HIT',
    )
    const { visit, keep, isGone } = visits

    it('keeps public pages there, though browsers ask each time', async () => {
      await keep('/hello-world/', '/')
      const { headers } = await visit('/hello-world/')
      expect(headers.get('cache-control')).to.equal('public, max-age=0, must-revalidate')
      expect(headers.has('x-accel-expires')).to.equal(false)
    })

    it('serves visitors with unrelated cookies from the cache, but not logged-in users', async () => {
      await keep('/hello-world/')
      const isCached = async (headers: Record<string, string>) => (await visit('/hello-world/', headers)).isCached
      expect(await isCached({ Cookie: '_ga=1; theme=dark' })).to.equal(true)
      expect(await isCached({ Cookie: '_ga=1; pentad_session=x' })).to.equal(false)
      expect(await isCached({ Authorization: 'Basic eDp5' })).to.equal(false)
      expect(await isCached({ Authorization: 'Basic eDp5', Cookie: '_ga=1' })).to.equal(false)
    })

    itKeepsAndPurges(() => host, visits)

    if (by === 'PURGE') {
      it('has a test button that says that Debian’s module can’t purge everything', async () => {
        const answer = await send('/nginx-purge/v1/test', undefined)
        expect(answer.status).to.equal(502)
        expect(await answer.text()).to.contain('cannot purge all pages at once')
      })

      it('does not retry to purge everything indefinitely, and still purges single pages', async () => {
        await keep('/hello-world/')
        await purgeTags(host, ['site'], { urls: [`${nginx.url}/hello-world/`], reason: 'All of it, and one page.' })
        await until(() => isGone('/hello-world/'))
        await until(() => isAllSent(host), { seconds: 60 })
      })

      it('purges when nginx, stopped meanwhile, is back with its cache', async () => {
        await keep('/hello-world/')
        await nginx.stop()
        expect((await edit(1, 'Good evening')).status).to.equal(200)
        expect((await send('/speed/v1/purge-current-page', { url: '/sample-page/' })).status).to.equal(200)
        expect((await send('/nginx-purge/v1/test', undefined)).status).to.equal(502)
        await until(async () => !(await isAllSent(host)), { seconds: 60 })
        await nginx.start()
        await until(() => isAllSent(host), { seconds: 60 })
        expect((await visit('/hello-world/')).html).to.contain('Good evening')
      })
      return
    }

    it('serves a page once more after a soft purge, by tag', async () => {
      let word = ''
      host.host.hooks.addFilter('page_html', (html) => html.replace('</body>', `${word}</body>`))
      // Earlier purges are repeated after five seconds, and a purge that is sent with them is not soft.
      const isServedOnceMore = async (at: string) => {
        await keep('/hello-world/', '/sample-page/')
        word = at
        await purgeTags(host, ['post-1'], { soft: true })
        await until(() => isAllSent(host), { seconds: 60 })
        const { headers, html } = await visit('/hello-world/')
        return ['STALE', 'UPDATING'].includes(headers.get('x-nginx-cache') ?? '') && !html.includes(word)
      }
      let attempt = 0
      await until(() => isServedOnceMore(`attempt ${++attempt};`), { seconds: 60 })
      await until(async () => (await visit('/hello-world/')).html.includes(word))
    })

    it('has a test button', async () => {
      const answer = await send('/nginx-purge/v1/test', undefined)
      expect(answer.status).to.equal(200)
      const data = { folder: join(nginx.folder, 'cache') }
      expect(await answer.json()).to.deep.equal({ status: 'success', data })
    })

    it('finds pages by tag in all their variants, whether or not the site still knows their address', async () => {
      // Earlier purges are repeated after five seconds, also one of the other page.
      const isOtherKept = async () => {
        await keep('/hello-world/?a=1', '/sample-page/')
        await purgeTags(host, ['post-1'])
        await until(() => isGone('/hello-world/?a=1'))
        return (await visit('/sample-page/')).isCached
      }
      await until(isOtherKept, { seconds: 60 })
    })

    it('purges everything', async () => {
      await keep('/hello-world/', '/sample-page/')
      expect((await send('/speed/v1/purge-everything-and-preload', {})).status).to.equal(200)
      for (const path of ['/hello-world/', '/sample-page/']) await until(() => isGone(path))
    })

    it('deletes nothing but files of the cache, and follows no link', async () => {
      const name = 'b7f54b2df7773722d382f4809d65029c'
      const outside = join(nginx.folder, 'outside')
      mkdirSync(outside)
      writeFileSync(join(outside, name), '\nKEY: http://x/hello-world/\nHTTP/1.1 200 OK\r\n\r\n')
      symlinkSync(outside, join(nginx.folder, 'cache', 'link'))
      const bystanders = [join(nginx.folder, 'cache', 'notes.txt'), join(nginx.folder, 'cache', name)]
      for (const file of bystanders) writeFileSync(file, 'not a page')
      await keep('/hello-world/')
      await send('/speed/v1/purge-everything-and-preload', {})
      await until(() => isGone('/hello-world/'))
      for (const file of [...bystanders, join(outside, name)]) expect(existsSync(file), file).to.equal(true)
    })

    it('says what is wrong', async () => {
      await set({ folder: join(nginx.folder, 'nowhere') })
      const answer = await send('/nginx-purge/v1/test', undefined)
      expect(answer.status).to.equal(502)
      expect(await answer.text())
        .to.contain('nginx_failed')
        .and.contain('ENOENT')
      expect((await set({ folder: 'cache/../..' })).status).to.equal(400)
      await set({ folder: '' })
      expect((await send('/nginx-purge/v1/test', undefined)).status).to.equal(409)
      expect((await host.request('/wp-json/nginx-purge/v1/test', { method: 'POST' })).status).to.equal(401)
    })

    it('leaves nothing behind', () => host.expectNoLeaks('nginx-purge'))
  })
}
