/**
 * Claims: the dashboard loads less than 250 KB of compressed script; lists load about as fast with 10,000 posts and
 * 100,000 subscribers as with 100 and 1,000, and block the main thread no longer. Run `npm run bench:admin` (needs Chromium
 * and `npm run build`). Rounds alternate between two sites in one Chromium; reported are the median of the rounds and the
 * longest of the long tasks.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { createSite, type Site } from '../app/create-site.ts'
import { launchChromium } from '../test/speed/chromium.ts'
import { median, printTarget } from './load.ts'

const SIZES = [
  { posts: 100, subscribers: 1_000 },
  { posts: 10_000, subscribers: 100_000 },
]
const ROUNDS = 5
/** Milliseconds from which the Long Tasks API reports a task. */
const LONG_TASK = 50

interface BenchSite {
  readonly host: Site
  readonly url: string
  readonly page: Page
}

// With all of V8's compilers, as users have it.
const browser = await launchChromium('--js-flags=')
const sites: BenchSite[] = []
for (const size of SIZES) sites.push(await openSite(size))

/** Each step starts on the screen where the previous one ended. */
const steps: Record<string, (page: Page) => Promise<void>> = {
  'open posts': async (page) => {
    await page.getByRole('navigation').getByRole('link', { name: 'Posts', exact: true }).click()
    await rows(page)
  },
  'next page': async (page) => {
    await page.getByRole('button', { name: 'Page 2', exact: true }).click()
    await page.waitForURL(/page=2/)
    await rows(page)
  },
  'search posts': async (page) => {
    await page.getByRole('searchbox').first().fill('needle7')
    await page.waitForURL(/search=needle7/)
    await rows(page)
  },
  'sort posts': async (page) => {
    await page.getByRole('searchbox').first().fill('')
    await page.waitForURL(/^(?!.*search=)/)
    await page.getByRole('columnheader').getByRole('button', { name: 'Title' }).click()
    await page.waitForURL(/orderby=title/)
    await rows(page)
  },
  'open subscribers': async (page) => {
    await page.getByRole('navigation').getByRole('link', { name: 'PWA', exact: true }).click()
    await page.getByRole('navigation').getByRole('link', { name: 'Subscribers', exact: true }).click()
    await rows(page)
  },
  'last subscribers': async (page) => {
    await page
      .getByRole('button', { name: /^Page \d+$/ })
      .last()
      .click()
    await page.waitForURL(/page=/)
    await rows(page)
  },
}

/** Maximum of a list's time on the larger site, relative to the smaller one. */
const MOST = 1.5
/** Maximum size of the dashboard's script on the wire, in KB. */
const MOST_SCRIPT = 250

const times = SIZES.map(() => new Map<string, number[]>())
const longest = SIZES.map(() => new Map<string, number>())
for (let round = 0; round < ROUNDS; round++) {
  for (const [at, { page, url }] of sites.entries()) {
    await page.goto(`${url}/wp-admin/`, { waitUntil: 'networkidle' })
    for (const [name, step] of Object.entries(steps)) {
      await page.evaluate('longTasks = []')
      const started = performance.now()
      await step(page)
      const time = performance.now() - started
      times[at]?.set(name, [...(times[at].get(name) ?? []), time])
      const tasks: number[] = await page.evaluate('longTasks')
      longest[at]?.set(name, Math.max(longest[at].get(name) ?? 0, ...tasks))
    }
  }
}

const label = ({ posts, subscribers }: (typeof SIZES)[number]) => `${posts} posts, ${subscribers} subscribers`
const table: Record<string, Record<string, string>> = {}
const ratios: number[] = []
for (const name of Object.keys(steps)) {
  const [small = 0, large = 0] = times.map((one) => median(one.get(name) ?? []))
  ratios.push(large / small)
  table[name] = {
    ...Object.fromEntries(SIZES.map((size, at) => [label(size), `${[small, large][at]?.toFixed(0)} ms`])),
    ratio: (large / small).toFixed(2),
    [`longest task over ${LONG_TASK} ms`]: longest.map((one) => one.get(name) || 'none').join(' / '),
  }
}
console.log(`Time from click to rendered rows, median of ${ROUNDS} rounds`)
console.table(table)
const [first] = sites
if (first) printTarget('script of the dashboard, KB', (await firstLoad(first)) / 1000, MOST_SCRIPT, 'at most')
printTarget('slowest list, larger site / smaller', Math.max(...ratios), MOST, 'at most')
await browser.close()
for (const { host } of sites) await host.close()

/** Waits until the table shows the rows for the current URL. */
async function rows(page: Page): Promise<void> {
  await page.locator('main tbody tr').first().waitFor()
  await page.locator('main [aria-busy="true"]').waitFor({ state: 'detached' })
}

/** Transferred bytes of all scripts, with their headers, until the network is idle. */
async function firstLoad({ page, url }: BenchSite): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  const scripts = new Set<string>()
  let bytes = 0
  devtools.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  await devtools.send('Network.enable')
  await devtools.send('Network.clearBrowserCache')
  await page.goto(`${url}/wp-admin/`, { waitUntil: 'networkidle' })
  return bytes
}

async function openSite({ posts, subscribers }: (typeof SIZES)[number]): Promise<BenchSite> {
  const siteDir = mkdtempSync(join(tmpdir(), 'pentad-bench-'))
  process.once('exit', () => rmSync(siteDir, { recursive: true, force: true }))
  const host = await createSite({ siteDir, port: 0, logLevel: 'error', environment: 'production' })
  const url = await host.listen()
  await writePosts(host, posts)
  await writeSubscribers(host, subscribers)
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await context.addInitScript(`
    longTasks = []
    new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' })
  `)
  await signIn(host, context, url)
  return { host, url, page: await context.newPage() }
}

async function signIn({ auth }: Site, context: BrowserContext, url: string): Promise<void> {
  const user = await auth.users.getByLogin('admin')
  if (!user) throw new Error('the site has no administrator')
  const session = await auth.startSession(user, { address: '127.0.0.1', userAgent: 'bench' })
  const [pair = ''] = auth.sessionCookie(session).split(';')
  const [name = '', value = ''] = pair.split('=')
  await context.addCookies([{ name, value, url }])
}

async function writePosts({ content }: Site, count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    await content.posts.insert({
      title: `Post ${number}`,
      slug: `post-${number}`,
      content: `<p>needle${number} and the same words as everywhere.</p>`,
      status: 'publish',
      authorId: 1,
      date: new Date(Date.UTC(2024, 0, 1) + number * 3_600_000).toISOString().slice(0, 19),
    })
  }
}

async function writeSubscribers({ database }: Site, count: number): Promise<void> {
  const db = database.db.withTables<{ pwa_subscriptions: Record<string, string | number | null> }>()
  const rows = Array.from({ length: count }, () => {
    const endpoint = `https://push.example/${randomBytes(24).toString('base64url')}`
    return {
      ...{ endpoint, endpoint_hash: endpoint, origin: 'https://push.example', encoding: 'aes128gcm' },
      ...{ p256dh: randomBytes(65).toString('base64url'), auth: randomBytes(16).toString('base64url') },
      ...{
        user_id: null,
        user_proven: 0,
        country: 'DE',
        operating_system: 'Android',
        browser: 'Chrome',
        device: 'Phone',
      },
      created_gmt: '2026-01-01 00:00:00',
    }
  })
  for (let at = 0; at < count; at += 500)
    await db
      .insertInto('pwa_subscriptions')
      .values(rows.slice(at, at + 500))
      .execute()
}
