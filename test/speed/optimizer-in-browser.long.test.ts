import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import pixelmatch from 'pixelmatch'
import { type Browser, type BrowserContext, devices as DEVICES, type Page } from 'playwright-core'
import sharp from 'sharp'
import { until } from '../support/until.ts'
import { launchChromium, layoutShifts, measured, openPage, painted, readToTheEnd } from './chromium.ts'
import { openImportedSite } from './imported-site.ts'
import { OPTIMIZER_OFF } from './optimizer-off.ts'
import { fetchScore } from './visits.ts'

/** Everything that changes a page. */
const OFF = { ...OPTIMIZER_OFF, preload: 'off', serviceWorker: 'off', vitalsSampleRate: 0 }
const ON = {
  ...{ minifyHtml: 'on', minifyCss: 'on', minifyJs: 'on', deferJs: 'on', inlineCriticalCss: 'on' },
  ...{ lazyImages: 'on', imageFormats: ['avif', 'webp'], preloadLinks: 'on', speculationRules: 'on' },
  ...{ fontDisplaySwap: 'on', selfHostFonts: 'on', serviceWorker: 'on', vitalsSampleRate: 100 },
}

const VIEWS = {
  desktop: { viewport: { width: 1280, height: 800 } },
  mobile: {
    viewport: { width: 390, height: 844 },
    userAgent: DEVICES['Pixel 7'].userAgent,
    isMobile: true,
    hasTouch: true,
  },
}

/** One of each template, and posts with images, a gallery and letters of other scripts. */
const PAGES = [
  '/',
  '/about/',
  '/category/travel/',
  '/?s=train',
  '/dispatch-1-the-night-train-leaves-tbilisi-at-ten-an-more/',
  '/dispatch-7-prices-rose-by-12-in-a-year-according/',
  '/dispatch-8-never-trust-a-map-that-has-no-dust-on-i/',
  '/dispatch-10-in-%e6%9d%b1%e4%ba%ac-the-last-train-is-a-social-ins-more/',
]

/** Share of pixels that may differ by more than an eye sees: images are compressed anew. */
const MOST_DIFFERENT = 0.002

describe('The optimized site in a real browser', () => {
  let site: TestHost
  let browser: Browser
  const contexts: BrowserContext[] = []

  before(async () => {
    site = await openImportedSite(OFF)
    browser = await launchChromium()
  })
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  const admin = async (path: string, body: unknown = {}, method = 'POST') => {
    const answer = await site.request(`/wp-json/speed/v1/${path}`, { method, as: 'administrator', body })
    expect(answer.status, path).to.equal(200)
  }

  async function open(view: keyof typeof VIEWS = 'desktop') {
    const context = await browser.newContext({ ...VIEWS[view], baseURL: site.url })
    contexts.push(context)
    return { context, ...(await openPage(context)) }
  }

  /** Sets everything, and waits until the pages are as the optimizer leaves them. */
  async function set(settings: object): Promise<void> {
    await admin('settings', { settings }, 'PUT')
    // These only: with all pages of the site the images of all would be compressed.
    for (const url of PAGES) await admin('purge-current-page', { url })
    for (const path of PAGES) await settle(path)
  }

  /** Slow work is done after the first visitor was answered: asks until the page no longer changes. */
  async function settle(path: string): Promise<void> {
    let last = ''
    for (let same = 0, tries = 0; same < 3 && tries < 100; tries++) {
      const html = await (await site.get(path)).text()
      const content = html.replace(/<script type="?application\/json"? id="?speed-vitals"?>.*?<\/script>/, '')
      same = content === last ? same + 1 : 0
      last = content
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }

  /** What every page looks like from top to end, and what went wrong in it. */
  async function look(view: keyof typeof VIEWS) {
    const looks: {
      html: string
      picture: Picture
      problems: string[]
      shifts: number
      text: string
      types: Set<string>
    }[] = []
    for (const path of PAGES) {
      const { context, page, problems } = await open(view)
      const types = new Set<string>()
      page.on('response', async (response) => types.add(response.headers()['content-type'] ?? ''))
      const answer = await page.goto(path, { waitUntil: 'load' })
      const html = (await answer?.text()) ?? ''
      await readToTheEnd(page)
      const picture = await pixelsOf(await page.screenshot({ fullPage: true, animations: 'disabled' }))
      const text = String(await page.evaluate('document.body.innerText'))
      looks.push({ html, types, picture, problems, shifts: await layoutShifts(page), text })
      await context.close()
    }
    return looks
  }

  describe('pages', () => {
    const plain = new Map<string, Awaited<ReturnType<typeof look>>>()
    const optimized = new Map<string, Awaited<ReturnType<typeof look>>>()

    before(async () => {
      await set(OFF)
      for (const view of ['desktop', 'mobile'] as const) plain.set(view, await look(view))
      await set(ON)
      for (const view of ['desktop', 'mobile'] as const) optimized.set(view, await look(view))
    })

    for (const view of ['desktop', 'mobile'] as const) {
      for (const [index, path] of PAGES.entries()) {
        it(`${decodeURI(path)} looks the same on ${view}, without an error and without anything moving`, () => {
          const before = plain.get(view)?.[index]
          const after = optimized.get(view)?.[index]
          if (!before || !after) throw new Error(`${path} was not looked at.`)
          expect(after.problems).to.deep.equal(before.problems)
          expect(after.text).to.equal(before.text)
          expect(after.shifts).to.be.at.most(0.01)
          const { width, height } = before.picture
          expect([after.picture.width, after.picture.height]).to.deep.equal([width, height])
          const different = pixelmatch(before.picture.data, after.picture.data, undefined, width, height)
          expect(different / (width * height)).to.be.at.most(MOST_DIFFERENT)
        })
      }
    }

    it('really are other pages, with smaller images', () => {
      const [before, after] = [plain, optimized].map((looks) => [...looks.values()].flat())
      for (const [index, { html }] of (before ?? []).entries()) {
        expect(html.length, html.slice(0, 100)).to.be.above(1000)
        expect(after?.[index]?.html).to.contain('</html>').and.not.to.equal(html)
      }
      const typesOf = (looks: typeof before) => new Set(looks?.flatMap(({ types }) => [...types]))
      expect(typesOf(before)).not.to.include('image/avif').and.not.to.include('image/webp')
      expect(typesOf(after)).to.include('image/avif')
    })

    it('have nothing to complain about in the console', () => {
      expect([...plain.values()].flat().flatMap(({ problems }) => problems)).to.deep.equal([])
    })
  })

  describe('a visit', () => {
    before(() => set(ON))

    it('is measured, and its LCP, CLS, INP, FCP and TTFB are counted, also where the worker has the page', async () => {
      // A template that no other test looks at, as often as one address counts on it.
      const visits = 3
      for (let visit = 0; visit < visits; visit++) {
        const { context, page } = await open('mobile')
        await page.goto('/tag/mountains/', { waitUntil: 'load' })
        await controller(page)
        // Who taps before there is something to see has no LCP.
        await painted(page)
        await page.tap('h1')
        await measured(page)
        // The way most visitors leave a page.
        await page.goto('/about/')
        await context.close()
      }
      const ofTags = async () => (await fetchScore(site)).pages.find(({ id }) => id === 'tag')?.metrics ?? []
      await until(async () => (await ofTags()).some(({ samples }) => samples === visits))
      expect((await ofTags()).map(({ id, samples }) => [id, samples])).to.deep.equal(
        ['LCP', 'CLS', 'INP', 'FCP', 'TTFB'].map((id) => [id, visits]),
      )
      expect((await fetchScore(site)).devices.map(({ id }) => id)).to.include('mobile')
    })

    it('installs the worker, which has the page', async () => {
      const { page, problems } = await open()
      await page.goto('/', { waitUntil: 'load' })
      expect(await controller(page)).to.match(/\/wp-content\/uploads\/speed\/scripts\/serviceworker\.js$/)
      expect(problems).to.deep.equal([])
    })

    it('transfers less the second time, most of it from the worker', async () => {
      const { context, page } = await open()
      await page.goto('/', { waitUntil: 'load' })
      await controller(page)
      // The visit that installs the worker began without it.
      await page.reload({ waitUntil: 'networkidle' })
      await page.close()
      const fresh = await open()
      const first = await transferred(fresh.context, '/')
      const second = await transferred(context, '/')
      expect(first.bytes).to.be.above(1000)
      expect(second.bytes).to.be.below(first.bytes / 2)
      expect(second.fromWorker).to.be.above(0)
      expect(first.fromWorker).to.equal(0)
    })

    it('never keeps a page, an answer of REST or a picture of the admin in the worker', async () => {
      const { page } = await open()
      await page.goto('/', { waitUntil: 'load' })
      await controller(page)
      await page.reload({ waitUntil: 'networkidle' })
      await page.evaluate(`Promise.all([fetch('/wp-json/'), fetch('/about/'), fetch('/feed/')])`)
      const kept: string[] = await page.evaluate(`(async () => {
        const names = await caches.keys()
        const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
        return lists.flat().map(({ url }) => new URL(url).pathname)
      })()`)
      expect(kept).not.to.deep.equal([])
      for (const path of kept) expect(path).to.match(/^\/wp-content\//)
    })

    it('is rid of the worker once the plugin is switched off', async () => {
      const { page } = await open()
      await page.goto('/', { waitUntil: 'load' })
      await controller(page)
      await site.host.extensions.deactivate('speed')
      try {
        await until(async () => {
          await page.reload({ waitUntil: 'load' })
          return (
            Number(await page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)')) === 0
          )
        })
        expect(await page.evaluate('caches.keys()')).to.deep.equal([])
      } finally {
        await site.host.extensions.activate('speed')
      }
    })
  })
})

/** Four bytes a pixel. */
interface Picture {
  readonly data: Buffer
  readonly width: number
  readonly height: number
}

async function pixelsOf(png: Buffer): Promise<Picture> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** The worker that controls the page; waits until one does. */
async function controller(page: Page): Promise<string> {
  return String(
    await page.evaluate(`new Promise((resolve) => {
      const { serviceWorker } = navigator
      const tell = () => serviceWorker.controller && resolve(serviceWorker.controller.scriptURL)
      serviceWorker.addEventListener('controllerchange', tell)
      tell()
    })`),
  )
}

/** What a visit costs: bytes that came over the network, and how many answers the worker gave. */
async function transferred(context: BrowserContext, path: string): Promise<{ bytes: number; fromWorker: number }> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  let bytes = 0
  let fromWorker = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  page.on('response', (response) => {
    if (response.fromServiceWorker()) fromWorker++
  })
  await page.goto(path, { waitUntil: 'networkidle' })
  await page.close()
  return { bytes, fromWorker }
}
