import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { until } from '../jobs/processes.ts'
import { createNginx, type FrontServer, freePort } from './front-server.ts'

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

    /** What a visitor gets; `X-Nginx-Cache` is `$upstream_cache_status`. */
    async function visit(path: string, headers: Record<string, string> = {}) {
      const answer = await fetch(nginx.url + path, { headers, redirect: 'manual' })
      const isCached = answer.headers.get('x-nginx-cache') === 'HIT'
      return { status: answer.status, html: await answer.text(), isCached, headers: answer.headers }
    }
    /** Visits pages until nginx has them. */
    async function keep(...paths: string[]): Promise<void> {
      for (const path of paths) await until(async () => (await visit(path)).isCached)
    }
    /** Whether the next visitor's page comes from the site; the one after that gets it from nginx again. */
    const isGone = async (path: string) => !(await visit(path)).isCached
    const isAllSent = () => host.host.options.get('nginx-purge_unsent') === undefined

    it('keeps public pages there, though browsers ask each time', async () => {
      await keep('/hello-world/', '/')
      const { headers } = await visit('/hello-world/')
      expect(headers.get('cache-control')).to.equal('public, max-age=0, must-revalidate')
      expect(headers.has('x-accel-expires')).to.equal(false)
    })

    it('keeps nothing that is somebody’s own, or not found', async () => {
      const answer = await send('/wp/v2/posts', { title: 'Behind a door', status: 'publish', password: 'open' })
      const { slug } = Object(await answer.json())
      for (const path of [`/${slug}/`, '/no-such-page/', '/wp-json/', '/wp-login.php']) {
        await visit(path)
        expect((await visit(path)).isCached, path).to.equal(false)
      }
      await keep('/hello-world/')
      expect((await visit('/hello-world/', { Cookie: 'pentad_session=x' })).isCached).to.equal(false)
    })

    it('shows an edited post at once, and keeps the pages that do not show it', async () => {
      await keep('/', '/hello-world/', '/sample-page/')
      expect((await edit(1, 'Good morning')).status).to.equal(200)
      for (const path of ['/hello-world/', '/']) {
        await until(async () => (await visit(path)).html.includes('Good morning'))
      }
      expect((await visit('/sample-page/')).isCached).to.equal(true)
    })

    it('purges one page', async () => {
      await keep('/hello-world/', '/sample-page/')
      expect((await send('/speed/v1/purge-current-page', { url: '/sample-page/' })).status).to.equal(200)
      await until(() => isGone('/sample-page/'))
      expect((await visit('/hello-world/')).isCached).to.equal(true)
    })

    it('has a test button', async () => {
      const answer = await send('/nginx-purge/v1/test', undefined)
      expect(answer.status).to.equal(200)
      const where = by === 'PURGE' ? { address: nginx.url } : { folder: join(nginx.folder, 'cache') }
      expect(await answer.json()).to.deep.equal({ status: 'success', data: where })
    })

    if (by === 'PURGE') {
      it('purges when nginx, stopped meanwhile, is back with its cache', async () => {
        await keep('/hello-world/')
        await nginx.stop()
        expect((await edit(1, 'Good evening')).status).to.equal(200)
        expect((await send('/speed/v1/purge-current-page', { url: '/sample-page/' })).status).to.equal(200)
        expect((await send('/nginx-purge/v1/test', undefined)).status).to.equal(502)
        await until(() => !isAllSent())
        await nginx.start()
        await until(isAllSent)
        expect((await visit('/hello-world/')).html).to.contain('Good evening')
      })
      return
    }

    it('finds pages by tag in all their variants, whether or not the site still knows their address', async () => {
      await keep('/hello-world/?a=1', '/sample-page/')
      const purge = { scope: 'urls', urls: [], tags: ['post-1'], reason: 'Post 1 was changed.' } as const
      await host.host.hooks.doActionAsync('speed_purged', purge)
      await until(() => isGone('/hello-world/?a=1'))
      expect((await visit('/sample-page/')).isCached).to.equal(true)
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
