import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTestHost, type TestHost } from 'pentad/testing'
import { writeGuest } from '../sandbox/guests.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const SETUP = `setup({ assets, rest }) {
  assets.enqueueStyle('css/look.css')
  assets.enqueueScript('look.js', { when: (page) => page.kind === 'single' })
  rest.registerRoute('looks/v1', { method: 'GET', path: '/icon', access: 'public', handler: () => assets.url('icon.svg') })
}`

describe('the assets of an extension', () => {
  let site: TestHost
  let folder: string
  before(async () => {
    folder = await writeGuest('looks', 'process', SETUP)
    mkdirSync(join(folder, 'assets', 'css'), { recursive: true })
    const secret = join(temporaryFolder(), 'secret.css')
    writeFileSync(secret, 'secret')
    for (const [file, text] of [
      ['css/look.css', 'body { color: red }'],
      ['look.js', 'globalThis.looks = true'],
      ['icon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
      ['.hidden.css', 'hidden'],
      ['page.html', '<p>'],
    ] as const)
      writeFileSync(join(folder, 'assets', file), text)
    symlinkSync(secret, join(folder, 'assets', 'link.css'))
    site = await createTestHost({ extensions: [folder] })
  })
  after(() => site.close())
  const page = async (path: string) => (await site.get(path)).text()
  const linked = (html: string) =>
    [...html.matchAll(/\/wp-content\/plugins\/looks\/assets\/[^"]+/g)].map(([url]) => url)

  it('are in the pages for which they are enqueued, and cached by browsers forever', async () => {
    const [style = '', script = ''] = linked(await page('/hello-world/'))
    match(style, /css\/look\.css\?ver=[0-9a-f]{12}$/)
    match(script, /look\.js\?ver=[0-9a-f]{12}$/)
    deepEqual(linked(await page('/')), [style])
    const response = await site.get(style)
    equal(await response.text(), 'body { color: red }')
    equal(response.headers.get('content-type'), 'text/css; charset=utf-8')
    equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    equal(response.headers.get('x-content-type-options'), 'nosniff')
  })

  it('have another URL after they changed', async () => {
    const [before] = linked(await page('/'))
    writeFileSync(join(folder, 'assets', 'css', 'look.css'), 'body { color: blue }')
    await site.reload('looks')
    const [style = ''] = linked(await page('/'))
    equal(style === before, false)
    equal(await (await site.get(style)).text(), 'body { color: blue }')
  })

  it('run no scripts in images', async () => {
    const url = String(await (await site.get('/wp-json/looks/v1/icon')).json())
    match((await site.get(url)).headers.get('content-security-policy') ?? '', /sandbox/)
  })

  it('are nothing else: hidden files, code, links to other folders, and those of inactive extensions', async () => {
    const status = async (file: string) => (await site.get(`/wp-content/plugins/looks/assets/${file}`)).status
    equal(await status('look.js'), 200)
    for (const file of ['.hidden.css', 'page.html', 'link.css', '..%2findex.js', '../index.js', 'missing.css', '']) {
      equal(await status(file), 404, file)
    }
    await site.host.extensions.deactivate('looks')
    equal(await status('look.js'), 404)
    deepEqual(linked(await page('/')), [])
    await site.host.extensions.activate('looks')
  })

  it('must exist when they are enqueued', async () => {
    const activate = async (file: string) => {
      const id = `lost-${file.length}`
      await site.host.extensions.add(
        await writeGuest(id, 'process', `setup: ({ assets }) => void assets.enqueueStyle('${file}')`),
      )
      return site.host.extensions.activate(id)
    }
    await rejects(activate('lost.css'), /There is no file assets\/lost\.css/)
    await rejects(activate('../index.css'), /must be the path of a file in the assets folder/)
    await rejects(activate('notes.txt'), /with one of these types/)
  })

  it('are not served for a sandboxed extension', async () => {
    const boxed = await writeGuest('boxed', 'sandbox', 'setup() {}')
    mkdirSync(join(boxed, 'assets'))
    writeFileSync(join(boxed, 'assets', 'look.js'), '')
    await site.host.extensions.add(boxed)
    await site.host.extensions.activate('boxed')
    equal((await site.get('/wp-content/plugins/boxed/assets/look.js')).status, 404)
  })
})
