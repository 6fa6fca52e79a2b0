import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { z } from 'zod'
import { OPTIMIZER_OFF } from './optimizer-off.ts'

/** A site whose home page is what the test writes, rendered through the optimizer at every request. */
export interface PageUnderTest {
  readonly host: TestHost
  /** Puts a file below the uploads; answers its address. */
  upload(name: string, content: Uint8Array | string): Promise<string>
  /** Puts a file into a theme; answers its address with the version that changes with the content. */
  themeFile(name: string, content: string): Promise<string>
  /** Replaces settings of the performance service. */
  set(settings: Readonly<Record<string, unknown>>): Promise<void>
  /** What visitors get for a page of this head and body, as it is at once. */
  show(body: string, head?: string): Promise<string>
  /** The same once it is as `isFinished` wants it: what is made in the background needs some renderings. */
  showFinished(isFinished: (html: string) => boolean, body: string, head?: string): Promise<string>
  /** What the overview lists. */
  assets(): Promise<
    {
      readonly url: string
      readonly type: string
      readonly originalSize: number
      readonly size: number
      readonly savings: number
    }[]
  >
  close(): Promise<void>
}

const asset = z.strictObject({
  ...{ url: z.string(), type: z.string() },
  ...{ originalSize: z.number(), size: z.number(), savings: z.number() },
})
const listed = z.object({ data: z.object({ items: z.array(asset) }) })

const OFF = { ...OPTIMIZER_OFF, vitalsSampleRate: 0 }

/** @param settings what is switched on; everything else is off */
export async function startPage(settings: Readonly<Record<string, unknown>>): Promise<PageUnderTest> {
  const root = join(import.meta.dirname, '../..')
  // Without the page cache every request renders the page.
  const host = await createTestHost({ extensions: [join(root, 'plugins/speed')], config: { pageCache: 'off' } })
  let written = ''
  host.host.hooks.addFilter('page_html', (html, page) => (page.path === '/' && written !== '' ? written : html))

  const page: PageUnderTest = {
    host,
    async upload(name, content) {
      const file = join(host.host.config.siteDir, 'uploads', name)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content)
      return `/wp-content/uploads/${name}`
    },
    async themeFile(name, content) {
      const file = join(host.host.config.siteDir, 'themes', 'shop', name)
      await mkdir(dirname(file), { recursive: true })
      // A file that is written again is another state of it.
      if ((await readFile(file, 'utf8').catch(() => undefined)) !== content) await writeFile(file, content)
      return `/wp-content/themes/shop/${name}?ver=${createHash('sha256').update(content).digest('hex').slice(0, 10)}`
    },
    async set(changes) {
      const body = { settings: changes }
      const answer = await host.request('/wp-json/speed/v1/settings', { method: 'PUT', body, as: 'administrator' })
      expect(answer.status, await answer.text()).to.equal(200)
    },
    async show(body, head = '') {
      written = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Test</title>${head}</head><body>${body}</body></html>`
      return (await host.get('/')).text()
    },
    async showFinished(isFinished, body, head) {
      const deadline = Date.now() + 15_000
      for (;;) {
        const html = await page.show(body, head)
        if (isFinished(html)) return html
        if (Date.now() > deadline) expect.fail(`The page never became what it should be: ${html}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    async assets() {
      const answer = await host.get('/wp-json/speed/v1/optimized-assets/fetch?perPage=100', { as: 'administrator' })
      return listed.parse(await answer.json()).data.items
    },
    close: () => host.close(),
  }
  await page.set({ ...OFF, ...settings })
  return page
}
